//! Lozenge, engine: see ARCHITECTURE.md.
