//! Lozenge, reference: see ARCHITECTURE.md.
