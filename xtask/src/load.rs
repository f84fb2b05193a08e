//! `cargo xtask load`: how many games a server can handle on this machine. `crates/cli/examples/load.rs` measures it.

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
    /// Sockets that are open meanwhile, of players who do nothing: what they take is printed, too. The system has to let both
    /// processes have so many files open.
    #[arg(long, default_value_t = 0)]
    idle: u32,
}

/// Measures, each number of games on a server of its own.
pub(crate) fn measure(options: &Options) -> Outcome {
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
