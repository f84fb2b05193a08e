//! Prints the sprite of all men: `cargo run -p lozenge-picture --example sprite`.

fn main() {
    print!("{}", lozenge_picture::sprite());
}
