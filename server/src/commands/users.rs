//! `l10n-server users create|list|disable|enable|reset-link`: people who use the dashboard, beside a running server.

use std::io::Write as _;

use crate::config::{Config, Overrides};
use crate::domain::Actor;
use crate::domain::access::Role;
use crate::domain::people::links::{LinkValidity, sign_in_url};
use crate::domain::people::{Person, members, users};
use crate::domain::workspaces;
use crate::service::Service;
use crate::store::{Store, Tx};
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::shared::{ActorArgs, open_existing, print, service};

/// Rows that one statement reads.
const PAGE: i64 = 500;

#[derive(Subcommand)]
pub(crate) enum UsersCommand {
    /// Make a person a member of a workspace, and print a link that signs in once, within 15 minutes
    Create(CreateArgs),
    /// List the people who have an account
    List {
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Keep a person from signing in, and end their sessions
    Disable {
        /// Address of the person
        email: String,
        #[command(flatten)]
        by: ActorArgs,
    },
    /// Let a person sign in again
    Enable {
        /// Address of the person
        email: String,
        #[command(flatten)]
        by: ActorArgs,
    },
    /// Print a link that signs a person in once, within 15 minutes, to set a new password
    ResetLink {
        /// Address of the person
        email: String,
        #[command(flatten)]
        by: ActorArgs,
    },
}

#[derive(Args)]
pub(crate) struct CreateArgs {
    /// Address of the person
    email: String,
    /// Workspace, by its handle
    #[arg(long, value_name = "HANDLE")]
    workspace: String,
    /// Role in it: viewer, translator, reviewer, manager or owner
    #[arg(long, value_parser = role)]
    role: Role,
    /// Name for people; by default the address before the @
    #[arg(long = "name", value_name = "NAME", default_value = "")]
    person_name: String,
    #[command(flatten)]
    by: ActorArgs,
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "it takes viewer, translator, reviewer, manager or owner".to_owned())
}

impl UsersCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let output = match self {
            Self::List { json } => list(&store, json).await?,
            Self::Create(create) => create.run(&service).await?,
            Self::Disable { email, by } => disable(&service, &email, &by).await?,
            Self::Enable { email, by } => enable(&service, &email, &by).await?,
            Self::ResetLink { email, by } => reset_link(&service, &email, &by).await?,
        };
        store.close().await;
        print(&output)
    }
}

impl CreateArgs {
    async fn run(&self, service: &Service) -> Result<String> {
        let (now, by) = (service.clock.now(), self.by.operator()?);
        let mut tx = service.store.begin_write().await?;
        let workspace = workspaces::find(&mut tx, &self.workspace).await?;
        if workspace.archived_at.is_some() {
            bail!("the workspace {} is archived: `l10n-server workspaces restore` takes it back", workspace.handle);
        }
        let (person, _) = users::create(&mut tx, now, &self.email, &self.person_name).await?;
        members::put(&mut tx, now, &by, &workspace.id, &person, self.role).await?;
        let link = link(&mut tx, service, &by, &person).await?;
        tx.commit().await?;
        note(&format!("{} is {} of {}. The link signs in once:", person.email, self.role.as_str(), workspace.handle));
        Ok(link)
    }
}

async fn reset_link(service: &Service, email: &str, by: &ActorArgs) -> Result<String> {
    let mut tx = service.store.begin_write().await?;
    let token = users::sign_in_link(&mut tx, service.clock.now(), &by.operator()?, email, LinkValidity::Brief).await?;
    tx.commit().await?;
    Ok(sign_in_url(&service.settings, &token))
}

async fn link(tx: &mut Tx, service: &Service, by: &Actor, person: &Person) -> Result<String> {
    let token = users::sign_in_link(tx, service.clock.now(), by, &person.email, LinkValidity::Brief).await?;
    Ok(sign_in_url(&service.settings, &token))
}

async fn disable(service: &Service, email: &str, by: &ActorArgs) -> Result<String> {
    let mut tx = service.store.begin_write().await?;
    let is_new = users::disable(&mut tx, service.clock.now(), &by.operator()?, email).await?;
    tx.commit().await?;
    Ok(match is_new {
        true => format!("{email} cannot sign in any more, and every session has ended"),
        false => format!("{email} was disabled already"),
    })
}

async fn enable(service: &Service, email: &str, by: &ActorArgs) -> Result<String> {
    let mut tx = service.store.begin_write().await?;
    let was_disabled = users::enable(&mut tx, service.clock.now(), &by.operator()?, email).await?;
    tx.commit().await?;
    Ok(match was_disabled {
        true => format!("{email} can sign in again"),
        false => format!("{email} was not disabled"),
    })
}

async fn list(store: &Store, as_json: bool) -> Result<String> {
    let mut tx = store.begin_read().await?;
    let (mut after, mut entries) = (String::new(), Vec::new());
    loop {
        let page = users::list(&mut tx, &after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after.clone_from(&last.email);
        for user in page {
            let memberships = users::memberships(&mut tx, &user.id).await?;
            entries.push((user, memberships));
        }
    }
    tx.rollback().await?;
    if as_json {
        let users = entries.iter().map(|(user, memberships)| {
            let memberships: Vec<_> = memberships
                .iter()
                .map(|membership| json!({"workspace": membership.handle, "role": membership.role.as_str()}))
                .collect();
            json!({
                "userId": user.id.as_str(), "email": user.email, "name": user.name, "createdAt": user.created_at,
                "disabledAt": user.disabled_at, "hasPassword": user.password_hash.is_some(), "memberships": memberships,
            })
        });
        return Ok(json!({ "users": users.collect::<Vec<_>>() }).to_string());
    }
    if entries.is_empty() {
        return Ok("Nobody has an account; `l10n-server users create` adds the first.".to_owned());
    }
    let lines = entries.iter().map(|(user, memberships)| {
        let roles: Vec<_> = memberships
            .iter()
            .map(|membership| format!("{}:{}", membership.handle, membership.role.as_str()))
            .collect();
        let state = user.disabled_at.map_or(String::new(), |at| format!("  disabled {at}"));
        format!("{}  {}  {}{state}", user.email, user.name.escape_debug(), roles.join(","))
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// Standard output is for the link; nothing is left to do when the terminal is gone.
fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
