//! The OpenAPI 3.1 document, built from the endpoint declarations.
