//! Lozenge, protocol: see ARCHITECTURE.md.
