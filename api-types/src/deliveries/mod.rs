//! The delivery log of a webhook (§2, §3, §4).

mod delivery;
mod list;
mod resend;

pub use delivery::{Delivery, DeliveryErrorKind, DeliveryStatus};
pub use list::{Deliveries, List};
pub use resend::{DeliveryPath, Resend};
