//! Tests of importing and exporting `variants.ini`, in one program so that it is linked once.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod named;
mod pyffish;
