//! `lozenge lab show`.

use crate::{CliError, games, output};
use clap::Args;
use lozenge_engine::Score;
use lozenge_lab::tuning::data::heading_begins;
use lozenge_lab::tuning::record::Games;
use std::path::PathBuf;

/// `lab show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// A file made by `lozenge lab data`.
    file: PathBuf,
    /// The path of the variant file, if the game is not built in.
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// Write each quiet position on a line: FEN, score from White's side (`#5`: White wins in 5 moves) and result in half points.
    #[arg(long)]
    positions: bool,
}

/// Counts of the games and positions of a file.
#[derive(Default)]
struct Counts {
    /// Games by result: lost by White, drawn, won, not played out.
    games: [u64; 4],
    positions: u64,
    quiet: u64,
    /// Positions with a forced win.
    decided: u64,
}

/// Runs the command.
pub(super) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let mut games = Games::open(&args.file)?;
    let heading = games.heading().to_owned();
    let named = heading.split_whitespace().find_map(|word| word.strip_prefix("game=")).unwrap_or_default();
    let variant = games::resolve(args.game.as_deref().unwrap_or(named))?;
    games.expect(&heading_begins(&variant))?;
    let mut counts = Counts::default();
    while let Some(game) = games.next().transpose()? {
        let samples = game.samples(&variant).ok_or_else(|| games.damaged("legal moves"))?;
        counts.games[game.result.map_or(3, usize::from).min(3)] += 1;
        for sample in samples {
            let is_quiet = sample.is_quiet();
            counts.positions += 1;
            counts.quiet += u64::from(is_quiet);
            counts.decided += u64::from(!matches!(sample.score, Score::Centipawns(_)));
            if let (true, true, Some(result)) = (args.positions, is_quiet, game.result) {
                let score = match sample.score {
                    Score::Centipawns(score) => score.to_string(),
                    Score::Wins(moves) => format!("#{moves}"),
                    Score::Loses(moves) => format!("#-{moves}"),
                };
                output::line(format_args!("{};{score};{result}", sample.position.fen()))?;
            }
        }
    }
    if args.positions {
        return Ok(());
    }
    let Counts { games: [lost, drawn, won, void], positions, quiet, decided } = counts;
    let bytes = (games.bytes() as f64 - heading.len() as f64) / positions.max(1) as f64;
    output::line(format_args!("{heading}"))?;
    output::line(format_args!(
        "games       {}: White won {won}, drawn {drawn}, Black won {lost}, not played out {void}",
        lost + drawn + won + void
    ))?;
    output::line(format_args!("positions   {positions}: {quiet} quiet, {decided} with a forced win"))?;
    output::line(format_args!("size        {bytes:.1} bytes a position"))
}
