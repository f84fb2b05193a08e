//! The laboratory: what is learnt about games and engines by playing many of them.

pub mod tuning;
