//! Files that hold all languages: each language is written into what those before it have left.

use std::io::Write as _;
use std::sync::Arc;

use l10n_api_types::LanguageCode;
use tokio::task::spawn_blocking;

use crate::delivery::at_rest::{Packed, Packing};
use crate::delivery::keys::{KeyList, TextTable};
use crate::delivery::render::{FileTexts, SetLayout};
use crate::domain::ServiceError;

/// The files so far.
#[derive(Default)]
pub(super) struct Growing(Vec<GrowingFile>);

struct GrowingFile {
    /// The place of its set in the plan.
    position: usize,
    layout: Arc<SetLayout>,
    bytes: Vec<u8>,
}

impl Growing {
    /// Begins a file with the texts of the source.
    pub(super) async fn begin(
        &mut self,
        position: usize,
        layout: Arc<SetLayout>,
        base: &LanguageCode,
        keys: &Arc<KeyList>,
        said: &Arc<TextTable>,
    ) -> Result<(), ServiceError> {
        let (base, keys, said, hand) = (base.clone(), Arc::clone(keys), Arc::clone(said), Arc::clone(&layout));
        let work = move || {
            let mut bytes = Vec::new();
            hand.render(base.as_str(), &keys, FileTexts { contents: &said, fallback: None }, &mut bytes)?;
            Ok::<_, std::io::Error>(bytes)
        };
        let bytes = spawn_blocking(work).await.map_err(ServiceError::internal)?.map_err(ServiceError::internal)?;
        self.0.push(GrowingFile { position, layout, bytes });
        Ok(())
    }

    /// Writes a language into each of them. One that has no place for it stays.
    pub(super) async fn put(
        &mut self,
        language: &LanguageCode,
        keys: &Arc<KeyList>,
        said: &Arc<TextTable>,
    ) -> Result<(), ServiceError> {
        for file in &mut self.0 {
            let (language, keys, said) = (language.clone(), Arc::clone(keys), Arc::clone(said));
            let (layout, before) = (Arc::clone(&file.layout), std::mem::take(&mut file.bytes));
            let work = move || layout.put(&before, language.as_str(), &keys, &said).unwrap_or(before);
            file.bytes = spawn_blocking(work).await.map_err(ServiceError::internal)?;
        }
        Ok(())
    }

    /// The files as they are stored, with the places of their sets.
    pub(super) async fn end(self) -> Result<Vec<(usize, Packed)>, ServiceError> {
        let pack = |file: GrowingFile| {
            let mut packing = Packing::default();
            packing.write_all(&file.bytes)?;
            Ok::<_, std::io::Error>((file.position, packing.finish()?))
        };
        let work = spawn_blocking(move || self.0.into_iter().map(pack).collect::<Result<Vec<_>, _>>());
        work.await.map_err(ServiceError::internal)?.map_err(ServiceError::internal)
    }
}
