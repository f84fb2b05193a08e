//! `cargo xtask load`: how many games a server can handle on this machine. `crates/cli/examples/load.rs` measures it,
//! and `multi_games.rs` plays games of three and four, of which none may be lost.

use crate::process::{Outcome, cargo, run};
use crate::web::TestServer;
use clap::Args;

/// `load`.
#[derive(Args)]
pub(crate) struct Options {
    /// Numbers of games at the same time.
    #[arg(long, value_delimiter = ',', default_value = "200,1000,4000")]
    games: Vec<u32>,
    /// How long each player thinks on average, in milliseconds; 0 for as fast as can be.
    #[arg(long, default_value_t = 2000)]
    think: u32,
    /// How long is measured, in seconds.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Sockets that are open meanwhile, of players who do nothing. Their memory is printed, too. The system must let both
    /// processes open as many files.
    #[arg(long, default_value_t = 0)]
    idle: u32,
    /// Games of three and four that random movers play to their ends at the same time, each replayed from its PGN; instead of what is
    /// measured otherwise.
    #[arg(long)]
    multi: Option<u32>,
}

/// Measures, each number of games on a server of its own.
pub(crate) fn measure(options: &Options) -> Outcome {
    if let Some(games) = options.multi {
        return play_multi(games);
    }
    // As hosts build it (`docs/hosting.md`).
    run(&mut cargo(&["build", "--profile", "dist"]))?;
    run(&mut cargo(&["build", "--profile", "dist", "-p", "lozenge", "--example", "load"]))?;
    for games in &options.games {
        // As behind a proxy: this machine alone may otherwise have three quarters of the connections.
        let server = TestServer::start_with("dist", &["--trusted-proxies", "127.0.0.0/8"])?;
        let load = crate::smoke::built("dist/examples", "load")?;
        run(std::process::Command::new(load).args([
            server.address.clone(),
            server.id().to_string(),
            games.to_string(),
            options.think.to_string(),
            options.seconds.to_string(),
            options.idle.to_string(),
        ]))?;
    }
    Ok(())
}

/// Games of three and four, of which none may be lost.
fn play_multi(games: u32) -> Outcome {
    run(&mut cargo(&[
        "build",
        "--release",
        "-p",
        "lozenge",
        "--bin",
        "lozenge",
        "--example",
        "multi_games",
    ]))?;
    let server = TestServer::start_with("release", &["--trusted-proxies", "127.0.0.0/8"])?;
    let example = crate::smoke::built("release/examples", "multi_games")?;
    run(std::process::Command::new(example).args([server.address.clone(), games.to_string()]))
}
