//! The actions of people in a workspace, and the roles that allow them.

pub use crate::store::memberships::Role;

/// Declares the actions with the least role that allows each: the table of access.
macro_rules! actions {
    ($($(#[$meta:meta])* $action:ident: $least:ident,)+) => {
        /// An action of a person in a workspace or in one of its projects.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[$meta])* $action,)+ }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$action,)+];

            /// The least role that allows it.
            #[must_use]
            pub const fn least(self) -> Role {
                match self { $(Self::$action => Role::$least,)+ }
            }
        }
    };
}

actions! {
    /// See a workspace and its projects, with keys, texts, versions, runs and documents.
    See: Viewer,
    /// See the balance, the ledger and prices.
    SeeCredits: Viewer,
    /// See who the members are.
    SeeMembers: Viewer,
    /// Change translations, where the membership names no languages or names this one.
    EditTranslations: Translator,
    /// Suggest, use and change terms of the glossary.
    EditGlossary: Translator,
    /// Mark translations as reviewed.
    Review: Reviewer,
    /// Change, rename and archive keys, and their source texts.
    EditKeys: Manager,
    /// Make a project.
    CreateProject: Manager,
    /// Change the name and the settings of a project.
    ManageProject: Manager,
    /// Add and remove languages.
    ManageLanguages: Manager,
    /// Change output formats.
    ManageFormats: Manager,
    /// Have texts translated, which spends credits.
    Translate: Manager,
    /// Publish.
    Publish: Manager,
    /// Make an earlier version live again.
    Restore: Manager,
    /// See, make, replace and revoke API keys.
    ManageApiKeys: Manager,
    /// See, make, change and delete webhooks, see their deliveries and send them again.
    ManageWebhooks: Manager,
    /// See what agents ask for, and decide it.
    Decide: Manager,
    /// Accept and discard captured keys.
    ManageCaptured: Manager,
    /// Withdraw pending changes of the code.
    ManageChanges: Manager,
    /// Push, publish, roll back and archive documents.
    ManageDocuments: Manager,
    /// Delete entries of the translation memory.
    ManageMemory: Manager,
    /// See the audit log.
    SeeAudit: Manager,
    /// Invite and remove members, and change their roles.
    ManageMembers: Owner,
    /// Change the monthly cap.
    ManageCredits: Owner,
    /// Archive, delete and restore projects.
    DeleteProject: Owner,
}

/// Returns whether a role allows an action.
#[must_use]
pub fn allows(role: Role, action: Action) -> bool {
    role >= action.least()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row for each action: viewer, translator, reviewer, manager, owner.
    #[test]
    fn every_role_may_do_what_the_table_says() {
        let mut table = String::new();
        for action in Action::ALL {
            let roles = Role::ALL.map(|role| if allows(role, *action) { 'x' } else { '-' });
            table.push_str(&format!("{} {action:?}\n", roles.into_iter().collect::<String>()));
        }
        insta::assert_snapshot!(table, @r"
        xxxxx See
        xxxxx SeeCredits
        xxxxx SeeMembers
        -xxxx EditTranslations
        -xxxx EditGlossary
        --xxx Review
        ---xx EditKeys
        ---xx CreateProject
        ---xx ManageProject
        ---xx ManageLanguages
        ---xx ManageFormats
        ---xx Translate
        ---xx Publish
        ---xx Restore
        ---xx ManageApiKeys
        ---xx ManageWebhooks
        ---xx Decide
        ---xx ManageCaptured
        ---xx ManageChanges
        ---xx ManageDocuments
        ---xx ManageMemory
        ---xx SeeAudit
        ----x ManageMembers
        ----x ManageCredits
        ----x DeleteProject
        ");
    }

    #[test]
    fn roles_are_read_by_their_names_alone() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.as_str()), Some(role));
        }
        for wrong in ["", "Owner", "admin", "owner "] {
            assert_eq!(Role::parse(wrong), None, "{wrong}");
        }
    }
}
