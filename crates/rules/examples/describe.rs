//! Prints the description of a built-in game: `cargo run -p lozenge-rules --example describe -- diamond`.
#![allow(clippy::print_stdout, reason = "an example")]

fn main() {
    for id in std::env::args().skip(1) {
        match lozenge_rules::variant::library::game(&id) {
            Some(game) => print!("{}", lozenge_rules::variant::describe::describe(&game)),
            None => println!("no game is called {id}"),
        }
    }
}
