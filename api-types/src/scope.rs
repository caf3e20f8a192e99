//! Scopes and kinds of API keys.

string_enum! {
    /// A right of a key (§5.5). Scopes are checked exactly: holding one never implies another, except for `admin`.
    Scope {
        /// Read translations, documents and metadata.
        Read = "read",
        /// Price and run translations.
        Translate = "translate",
        /// Change languages, output formats and documents.
        Write = "write",
        /// Publish, restore and manage webhooks.
        Publish = "publish",
        /// Report keys that an app misses.
        Capture = "capture",
        /// All of the scopes above.
        Admin = "admin",
        /// A scope of the dashboard that opens no route of this API (§5.6).
        MembersRead = "members:read",
        /// A scope of the dashboard that opens no route of this API (§5.6).
        MembersManage = "members:manage",
        ..Unknown
    }
}

impl Scope {
    /// Returns true if a key that holds `held` may call a route that accepts any of `accepted` (§5.5).
    #[must_use]
    pub fn grants(held: &[Self], accepted: &[Self]) -> bool {
        held.iter().any(|scope| *scope == Self::Admin || accepted.contains(scope))
    }
}

string_enum! {
    /// The kind of a key's user (§2).
    KeyKind {
        /// `CI / scripts`: acts on its own.
        Ci = "ci",
        /// `AI agent`: needs a person's approval before it spends or publishes.
        Agent = "agent",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AUTH-7, AUTH-8, AUTH-10: exact, `admin` grants all, the dashboard's scopes open nothing.
    #[test]
    fn no_scope_but_admin_grants_another() {
        for held in Scope::ALL {
            for accepted in Scope::ALL {
                assert_eq!(Scope::grants(&[*held], &[*accepted]), held == accepted || *held == Scope::Admin);
            }
        }
        assert!(!Scope::grants(&[], Scope::ALL));
    }
}
