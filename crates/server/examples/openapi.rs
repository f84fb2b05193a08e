//! Prints the description of the API: `cargo run -p lozenge-server --no-default-features --example openapi >
//! web/openapi.json`, from which the pages' types are made.
#![allow(clippy::print_stdout)]

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", serde_json::to_string_pretty(&lozenge_server::openapi())?);
    Ok(())
}
