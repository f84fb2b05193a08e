//! Lozenge, picture: see ARCHITECTURE.md.
