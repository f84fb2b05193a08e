//! The `lozenge` program: argument parsing and composition, nothing else.
fn main() {}
