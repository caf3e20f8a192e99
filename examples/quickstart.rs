//! The whole main job on a real file.
fn main() {}
