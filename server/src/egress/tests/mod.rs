//! Tables of addresses and of spellings. What happens on sockets is in `server/tests/egress`.

mod address;
mod failure;
mod target;
mod worst;
