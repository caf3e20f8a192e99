//! The dashboard's table of pages, for the walk over all of them.

use crate::domain::access::Action;
use crate::http::dashboard::{Audience, PAGES};

/// A row of the table of pages.
#[derive(Debug, Clone, Copy)]
pub struct DashboardPage {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The path with its places.
    pub path: &'static str,
    /// True for a page that strangers may open.
    pub is_public: bool,
    /// The action that the role has to allow.
    pub action: Option<Action>,
    /// True where a person has to have shown within the last hour that it is them.
    pub confirmed: bool,
}

/// Every page and every form of the dashboard.
pub fn dashboard_pages() -> Vec<DashboardPage> {
    let row = |page: &crate::http::dashboard::PageRoute| DashboardPage {
        method: if page.method == http::Method::POST { "POST" } else { "GET" },
        path: page.path,
        is_public: page.who == Audience::Anyone,
        action: match page.who {
            Audience::Anyone | Audience::Person => None,
            Audience::Workspace(action) | Audience::Project(action) | Audience::Operation(action) => Some(action),
        },
        confirmed: page.confirmed,
    };
    PAGES.iter().map(row).collect()
}
