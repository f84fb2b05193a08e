//! Tests of the PGN syntax.
