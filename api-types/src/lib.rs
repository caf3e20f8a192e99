//! Every route, body, error, event, id and unit of money of the public API.
