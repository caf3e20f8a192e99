/// Calls `$callback!` with every endpoint of the API as `resource::Verb`, comma separated, in the order of the
/// specification's route tables.
///
/// Tests use it to prove that every endpoint has its places in server, client, command line and conformance suite.
#[macro_export]
macro_rules! for_each_endpoint {
    ($callback:ident) => {
        $callback! {
            projects::Resolve,
            credential::Read,
            meta::Read,
            languages::Add,
            output_formats::Set,
            glossary::List,
            glossary::Set,
            translations::Translate,
            translations::Sync,
            translations::Get,
            content::Create,
            content::List,
            content::Read,
            content::Update,
            content::Run,
            capture::Create,
            pending_code_changes::List,
            memory::Suggest,
            memory::Export,
            memory::Import,
            publish::Create,
            unpublished_changes::List,
            versions::List,
            versions::Restore,
            webhooks::Create,
            webhooks::List,
            webhooks::Update,
            webhooks::Delete,
            webhooks::RotateSecret,
            deliveries::List,
            deliveries::Resend,
            operations::Create,
            operations::Read,
            requests::Read,
            delivery::Manifest,
            delivery::NamedManifest,
            delivery::Bundle,
            delivery::NamedBundle,
            health::Read,
        }
    };
}

/// Declares a set of names that travel as strings.
///
/// It is closed: another name is an error. A set that answers have ends with `..Unknown`, which keeps a name of a later
/// version. Only the fields of answers read such names, by `deserialize_with` of [`later_name`](crate::later_name): requests and
/// `FromStr` stay strict.
macro_rules! string_enum {
    (
        $(#[doc = $doc:literal])*
        $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ $(..$unknown:ident)? }
    ) => {
        $(#[doc = $doc])*
        $(
            #[doc = "\n\nLater versions add to it."]
            #[doc = concat!("In an answer, a value that this one lacks is `", stringify!($unknown), "` with its name.")]
            #[non_exhaustive]
        )?
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize)]
        pub enum $name {
            $($(#[$vmeta])* #[serde(rename = $text)] $variant,)+
            $(
                /// A value of a later version, in an answer.
                #[serde(skip_deserializing)]
                $unknown($crate::LaterName),
            )?
        }

        impl $name {
            /// Every value that this version knows, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ $(Self::$unknown(name) => name.as_str(),)? }
            }
        }

        $(
            impl $crate::later_name::Later for $name {
                fn later(name: $crate::LaterName) -> Self {
                    Self::$unknown(name)
                }
            }
        )?

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .description(Some(concat!($($doc),*).trim()))
                    .enum_values(Some([$($text),+]))
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|value| value.as_str() == text)
                    .ok_or_else(|| $crate::UnknownName::new(text, Self::ALL.iter().map(|value| value.as_str())))
            }
        }
    };
}

/// Declares an opaque string with a type of its own.
macro_rules! string_newtype {
    ($($(#[$meta:meta])* $name:ident;)+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text unchanged.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    )+};
}
