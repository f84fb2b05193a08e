//! The JavaScript package `lozenge`: thin classes around the rules and the engine, with the names of the Python package in
//! camel case. `npm/README.md` describes them for people.
//!
//! Not here: anything that decides what is legal or good, and how the package is built (`cargo xtask wasm`).

mod engine;
mod host;
mod position;
mod variant;

use js_sys::Error;
use wasm_bindgen::prelude::*;

/// The error with the message of the command line. Its name is `LozengeError`.
fn fault(error: impl std::fmt::Display) -> Error {
    let fault = Error::new(&error.to_string());
    fault.set_name("LozengeError");
    fault
}

/// Makes a bug in here an error that says where it is, instead of a trap without a word.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}
