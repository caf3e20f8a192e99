//! Macros of the rules.

/// Lets `?` turn what the datastore says into the variant `Service` of errors of one rule.
macro_rules! from_store_error {
    ($($error:ty),+) => {$(
        impl From<$crate::store::StoreError> for $error {
            fn from(error: $crate::store::StoreError) -> Self {
                Self::Service(error.into())
            }
        }
    )+};
}
