//! Tables played by hand.
