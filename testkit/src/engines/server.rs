//! The server that all mounts share.

use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use http::{Request, Response};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::behaviour::Behaviour;
use super::mount::{Mount, Service};
use super::reply::{EngineReply, EngineReplyBody};

/// Services that listen on a port of 127.0.0.1. They end when this is dropped.
#[derive(Debug)]
pub struct FakeEngines {
    mounts: Arc<[Mount; 7]>,
    _ends: DropGuard,
}

impl FakeEngines {
    /// Listens on a free port.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let mounts = Arc::new(Service::ALL.map(|service| Mount::new(service, &origin)));
        let ends = CancellationToken::new();
        let (connections, served) = (ends.clone(), Arc::clone(&mounts));
        tokio::spawn(ends.clone().run_until_cancelled_owned(async move {
            for connection in 0.. {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let serving = serve(stream, Arc::clone(&served), connection);
                tokio::spawn(connections.clone().run_until_cancelled_owned(serving));
            }
        }));
        Ok(Self { mounts, _ends: ends.drop_guard() })
    }

    /// The service of this kind.
    #[must_use]
    pub fn mount(&self, service: Service) -> &Mount {
        let [deepl, libretranslate, google_basic, google_advanced, azure, openai, own] = &*self.mounts;
        match service {
            Service::DeepL => deepl,
            Service::LibreTranslate => libretranslate,
            Service::GoogleBasic => google_basic,
            Service::GoogleAdvanced => google_advanced,
            Service::Azure => azure,
            Service::OpenAi => openai,
            Service::Own => own,
        }
    }

    /// DeepL.
    #[must_use]
    pub fn deepl(&self) -> &Mount {
        self.mount(Service::DeepL)
    }

    /// LibreTranslate.
    #[must_use]
    pub fn libretranslate(&self) -> &Mount {
        self.mount(Service::LibreTranslate)
    }

    /// Google Cloud Translation, version 2.
    #[must_use]
    pub fn google_basic(&self) -> &Mount {
        self.mount(Service::GoogleBasic)
    }

    /// Google Cloud Translation, version 3.
    #[must_use]
    pub fn google_advanced(&self) -> &Mount {
        self.mount(Service::GoogleAdvanced)
    }

    /// Azure Translator.
    #[must_use]
    pub fn azure(&self) -> &Mount {
        self.mount(Service::Azure)
    }

    /// A chat model behind the API of OpenAI.
    #[must_use]
    pub fn openai(&self) -> &Mount {
        self.mount(Service::OpenAi)
    }

    /// A service with the JSON of one's own engines.
    #[must_use]
    pub fn own(&self) -> &Mount {
        self.mount(Service::Own)
    }
}

async fn serve(stream: TcpStream, mounts: Arc<[Mount; 7]>, connection: usize) {
    let service = service_fn(|request| answer(request, &mounts, connection));
    // Who breaks the connection off need not be told.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
    request: Request<Incoming>,
    mounts: &[Mount; 7],
    connection: usize,
) -> Result<Response<EngineReplyBody>, Infallible> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, 64 * 1024 * 1024).collect().await;
    let body = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let mount = mounts.iter().find(|mount| head.uri.path().starts_with(mount.service().folder()));
    let Some(mount) = mount else {
        return Ok(EngineReply::json(404, &json!({"error": "no such service"})).sent(&Behaviour::Translate));
    };
    let (reply, behaviour) = mount.answer(head, &body, connection);
    match behaviour {
        Behaviour::Slow(time) => tokio::time::sleep(time).await,
        Behaviour::StallHead => std::future::pending::<()>().await,
        _ => {}
    }
    Ok(reply.sent(&behaviour))
}
