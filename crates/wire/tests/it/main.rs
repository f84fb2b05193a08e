//! What comes over the wire and goes over it, as text.

mod bot;
mod command;
mod variant;
