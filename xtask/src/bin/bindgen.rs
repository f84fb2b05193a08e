//! `bindgen MODULE FOLDER`: writes the JavaScript and the types of a WebAssembly module beside it into a folder, for
//! `cargo xtask wasm`. A program of its own, because what it needs takes long to compile.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(module), Some(folder), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        eprintln!("error: expected a module and a folder");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let result = bindgen.input_path(module).out_name("lozenge").web(true).and_then(|bindgen| {
        bindgen.typescript(true).remove_name_section(true).remove_producers_section(true).generate(folder)
    });
    if let Err(error) = result {
        eprintln!("error: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
