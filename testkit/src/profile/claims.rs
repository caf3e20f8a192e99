//! The requirements of each claim: a claim without them is refused before anything runs.

use std::path::PathBuf;

use super::load::listed;
use super::{Identity, Profile, ProfileError, Project, ReceiverProfile};
use crate::claim::Claim;

/// Largest speed of a deployment's clock relative to ours. A second of ours is then a minute, in which the first two
/// retries of a delivery can still be distinguished; a faster clock would be judged wrongly.
const FASTEST: u32 = 60;

/// The text of a generated profile for what only its operator knows.
const FILL_IN: &str = "FILL IN";

/// Projects in which checks use up daily budgets.
const BURNS: usize = 3;

impl Profile {
    /// Says what does not hold.
    ///
    /// # Errors
    ///
    /// Everything that it lacks or that cannot be, each with what to do.
    pub fn validate(&self) -> Result<(), ProfileError> {
        let mut wrong = Vec::new();
        self.check_base(&mut wrong);
        self.check_receiver(&mut wrong);
        if let Some(scale) = self.time.scale.filter(|scale| !(1..=FASTEST).contains(scale)) {
            wrong.push(format!(
                "`time.scale` is {scale}, but must be from 1 to {FASTEST}: faster events cannot be distinguished"
            ));
        }
        for claim in &self.claims {
            for field in self.lacking(*claim) {
                wrong.push(format!(
                    "the claim `{claim}` needs `{field}`, which is missing: set it, or remove `{claim}` from `claims`"
                ));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(ProfileError::Invalid(listed(&wrong))) }
    }

    fn check_base(&self, wrong: &mut Vec<String>) {
        let base = &self.base_url;
        match url::Url::parse(base) {
            Err(error) => wrong.push(format!("`base_url` is `{base}`, which is not a URL: {error}")),
            Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                wrong.push(format!("`base_url` is `{base}`, but must begin with https:// or http://"));
            }
            Ok(_) if !base.ends_with("/v1") => {
                wrong.push(format!("`base_url` is `{base}`, but must end in the version segment /v1"));
            }
            Ok(_) => {}
        }
        if self.lanes.is_empty() {
            wrong.push("`lanes` is empty: at least one project is needed, as [[lanes]]".to_owned());
        }
        for (name, project) in self.named_projects() {
            if !project.keys.contains_key(&Identity::Full) {
                wrong.push(format!("`{name}.keys.full` is missing: a key with all scopes of that project"));
            }
        }
    }

    fn check_receiver(&self, wrong: &mut Vec<String>) {
        let Some(receiver) = &self.receiver else { return };
        let pairs = [
            ("ca", &receiver.ca, "ca_key", &receiver.ca_key),
            ("ca_key", &receiver.ca_key, "ca", &receiver.ca),
            ("cert", &receiver.cert, "key", &receiver.key),
            ("key", &receiver.key, "cert", &receiver.cert),
        ];
        for (has, one, lacks, other) in pairs {
            if one.is_some() && other.is_none() {
                wrong.push(format!("`receiver.{has}` needs `receiver.{lacks}`, too"));
            }
        }
        let blank = |path: &Option<PathBuf>| path.as_deref().is_some_and(|path| path.ends_with(FILL_IN));
        let fields = [
            ("public_url", receiver.public_url.as_deref() == Some(FILL_IN)),
            ("ca", blank(&receiver.ca)),
            ("ca_key", blank(&receiver.ca_key)),
            ("cert", blank(&receiver.cert)),
            ("key", blank(&receiver.key)),
        ];
        for (field, _) in fields.iter().filter(|(_, blank)| *blank) {
            wrong.push(format!(
                "`receiver.{field}` is to be filled in: set it, or remove [receiver], and `receiver` from `claims`"
            ));
        }
        if fields.iter().any(|(_, blank)| *blank) {
            return;
        }
        let spares = receiver.spares.iter().enumerate();
        let spares = spares.map(|(place, spare)| (format!("receiver.spares[{place}].public_url"), &spare.public_url));
        let urls = receiver.public_url.iter().map(|url| ("receiver.public_url".to_owned(), url));
        for (field, url) in urls.chain(spares).filter(|(_, url)| !url.starts_with("https://")) {
            wrong.push(format!("`{field}` is `{url}`, but webhooks need https://"));
        }
    }

    /// The fields that a claim needs and that are missing.
    fn lacking(&self, claim: Claim) -> Vec<String> {
        let absent = |absent: bool, field: &str| if absent { vec![field.to_owned()] } else { Vec::new() };
        let project = |project: &Option<Project>, field: &str| absent(project.is_none(), field);
        match claim {
            Claim::Receiver => {
                let shows_nothing = |receiver: &ReceiverProfile| receiver.ca.is_none() && receiver.cert.is_none();
                match &self.receiver {
                    None => absent(true, "receiver.listen"),
                    Some(receiver) => absent(shows_nothing(receiver), "receiver.cert` or `receiver.ca"),
                }
            }
            Claim::SecondProject => project(&self.other, "other"),
            Claim::NoCredits => project(&self.no_credits, "no_credits"),
            Claim::AtCap => project(&self.at_cap, "at_cap"),
            Claim::AtPlanLimit => project(&self.at_plan_limit, "at_plan_limit"),
            Claim::SharedWorkspace => project(&self.sibling, "sibling"),
            Claim::Scratch => absent(self.scratch.is_empty(), "scratch"),
            Claim::Burn => (self.burn.len()..BURNS).map(|place| format!("burn[{place}]")).collect(),
            Claim::Dns => absent(self.dns.is_none(), "dns.zone"),
            Claim::Restart => absent(self.hooks.restart.is_empty(), "hooks.restart"),
            Claim::LongTimes => absent(
                self.time.clock.is_empty() && self.time.longest_wait.is_none(),
                "time.clock` or `time.longest_wait",
            ),
            Claim::Approvals => [("hooks.approve", &self.hooks.approve), ("hooks.deny", &self.hooks.deny)]
                .into_iter()
                .flat_map(|(field, hook)| absent(hook.is_empty(), field))
                .collect(),
            Claim::ScopedKeys => {
                Identity::SINGLE.into_iter().flat_map(|(identity, _)| self.without(identity)).collect()
            }
            Claim::AdminKey => self.without(Identity::Admin),
            Claim::SecondKey => {
                let mut lacking = self.without(Identity::Second);
                if self.claims.contains(&Claim::Scratch) {
                    lacking.extend(without("scratch", &self.scratch, Identity::Second));
                }
                if self.claims.contains(&Claim::Burn) {
                    lacking.extend(without("burn", &self.burn, Identity::Second));
                }
                lacking
            }
            Claim::AgentKey => [Identity::Agent, Identity::AgentReader]
                .into_iter()
                .flat_map(|identity| self.without(identity))
                .collect(),
            Claim::MembersKey => self.without(Identity::Members),
            Claim::RevokedKey => self.without(Identity::Revoked),
            // What these take beside the routes has a value where it is left out.
            Claim::Webhooks
            | Claim::Publish
            | Claim::Translate
            | Claim::DailyBudgets
            | Claim::Write
            | Claim::Delivery
            | Claim::Documents
            | Claim::ContentTrigger
            | Claim::Capture
            | Claim::CodeChanges
            | Claim::Operations
            | Claim::Requests
            | Claim::Http2
            | Claim::Additions => Vec::new(),
        }
    }

    /// The lanes that lack a key.
    fn without(&self, identity: Identity) -> Vec<String> {
        without("lanes", &self.lanes, identity)
    }

    /// Every project.
    pub(crate) fn projects(&self) -> impl Iterator<Item = &Project> {
        let single = [&self.other, &self.no_credits, &self.at_cap, &self.at_plan_limit, &self.sibling];
        self.lanes.iter().chain(&self.scratch).chain(&self.burn).chain(single.into_iter().flatten())
    }

    /// Every project, with the name of its field.
    #[must_use]
    pub fn named_projects(&self) -> Vec<(String, &Project)> {
        let many = [("lanes", &self.lanes), ("scratch", &self.scratch), ("burn", &self.burn)];
        let many = many.into_iter().flat_map(|(name, all)| {
            all.iter().enumerate().map(move |(place, project)| (format!("{name}[{place}]"), project))
        });
        let single = [
            ("other", &self.other),
            ("no_credits", &self.no_credits),
            ("at_cap", &self.at_cap),
            ("at_plan_limit", &self.at_plan_limit),
            ("sibling", &self.sibling),
        ];
        let single = single.into_iter().filter_map(|(name, project)| Some((name.to_owned(), project.as_ref()?)));
        many.chain(single).collect()
    }

    pub(super) fn named_projects_mut(&mut self) -> Vec<(String, &mut Project)> {
        let many = [("lanes", &mut self.lanes), ("scratch", &mut self.scratch), ("burn", &mut self.burn)];
        let many = many.into_iter().flat_map(|(name, all)| {
            all.iter_mut().enumerate().map(move |(place, project)| (format!("{name}[{place}]"), project))
        });
        let single = [
            ("other", &mut self.other),
            ("no_credits", &mut self.no_credits),
            ("at_cap", &mut self.at_cap),
            ("at_plan_limit", &mut self.at_plan_limit),
            ("sibling", &mut self.sibling),
        ];
        let single = single.into_iter().filter_map(|(name, project)| Some((name.to_owned(), project.as_mut()?)));
        many.chain(single).collect()
    }
}

/// The projects of a field that lack a key.
fn without(field: &str, projects: &[Project], identity: Identity) -> Vec<String> {
    let lacking = projects.iter().enumerate().filter(|(_, project)| !project.keys.contains_key(&identity));
    lacking.map(|(place, _)| format!("{field}[{place}].keys.{identity}")).collect()
}
