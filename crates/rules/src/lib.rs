//! Lozenge, rules: see ARCHITECTURE.md.
