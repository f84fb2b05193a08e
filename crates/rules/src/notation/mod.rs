//! How games are written down: the texts that people and programs exchange. Nothing here decides what is legal.

pub mod pgn;
