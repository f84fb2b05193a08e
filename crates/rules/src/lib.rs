//! Lozenge, rules: see ARCHITECTURE.md.

pub mod notation;
