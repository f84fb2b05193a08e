//! `lozenge moves` and `lozenge perft`: the legal moves of a position, and how many there are below it.

use crate::games::{PositionArgs, StartArgs};
use crate::numbers::whole;
use crate::{CliError, output};
use clap::Args;
use lozenge_protocol::perft::{self, Counts};
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{AnyMultiPosition, GamePosition};
use serde_json::json;

/// `moves`.
#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// `perft`.
#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Id of a game, or path of a variant file (`-`: standard input).
    variant: String,
    /// Depth in plies.
    #[arg(value_parser = whole::<u32>(0..=perft::MAX_DEPTH))]
    depth: u32,
    #[command(flatten)]
    start: StartArgs,
    /// Also print the count below each root move.
    #[arg(long)]
    divide: bool,
    /// Threads that share the root moves.
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
    /// JSON instead of text.
    #[arg(long)]
    json: bool,
}

impl PerftArgs {
    fn counts(&self, position: &GamePosition) -> Counts {
        let threads = usize::from(self.threads);
        let counts = match position {
            GamePosition::Two(position) => perft::count(position, self.depth, threads, &|| false),
            GamePosition::Four(position) => perft::count_multi(position, self.depth, threads, &|| false),
        };
        let Some(counts) = counts else { unreachable!("a count that is never stopped ends") };
        counts
    }
}

/// Prints the legal moves, sorted, one a line, then `status: …`, and the places of a finished game of four.
pub(crate) fn moves(args: &MovesArgs) -> Result<(), CliError> {
    let position = match args.position.any_position()? {
        GamePosition::Two(position) => position,
        GamePosition::Four(position) => return multi_moves(&position, args.json),
    };
    let mut moves: Vec<(String, String)> = position
        .legal_moves()
        .into_iter()
        .map(|legal| (uci::write(position.variant(), legal), san::write(&position, legal)))
        .collect();
    moves.sort();
    if args.json {
        let moves: Vec<_> = moves.into_iter().map(|(uci, san)| json!({ "uci": uci, "san": san })).collect();
        return output::json(&json!({
            "variant": position.variant().id(),
            "fen": position.fen(),
            "status": position.status().to_string(),
            "moves": moves,
        }));
    }
    let mut lines: Vec<String> = moves.into_iter().map(|(uci, _)| uci).collect();
    lines.push(format!("status: {}", position.status()));
    output::line(lines.join("\n"))
}

/// The same for a game of four.
fn multi_moves(position: &AnyMultiPosition, json: bool) -> Result<(), CliError> {
    let legal = position.legal_moves().into_iter();
    let mut moves: Vec<String> = legal.map(|legal| uci::write_multi(position.variant(), legal)).collect();
    moves.sort();
    let seats = position.variant().seats();
    let places = position.places();
    let places = places.map(|places| seats.iter().map(|seat| places[seat]).collect::<Vec<_>>());
    if json {
        let moves: Vec<_> = moves.into_iter().map(|uci| json!({ "uci": uci })).collect();
        let mut value = json!({
            "variant": position.variant().id(),
            "fen": position.fen(),
            "status": position.status().to_string(),
            "moves": moves,
        });
        if let Some(places) = places {
            value["places"] = places.into();
        }
        return output::json(&value);
    }
    moves.push(format!("status: {}", position.status()));
    moves.extend(
        places.map(|places| {
            format!("places: {}", places.iter().map(u8::to_string).collect::<Vec<_>>().join(" "))
        }),
    );
    output::line(moves.join("\n"))
}

/// Prints the node counts in Stockfish's format.
pub(crate) fn perft(args: &PerftArgs) -> Result<(), CliError> {
    let position = args.start.any_position(&args.variant)?;
    let counts = args.counts(&position);
    if !args.json {
        return output::line(counts.text(args.divide));
    }
    let (id, fen) = match &position {
        GamePosition::Two(position) => (position.variant().id(), position.fen()),
        GamePosition::Four(position) => (position.variant().id(), position.fen()),
    };
    let mut value = json!({ "variant": id, "fen": fen, "depth": args.depth, "nodes": counts.total });
    if args.divide {
        let moves: serde_json::Map<_, _> =
            counts.by_move.into_iter().map(|(name, count)| (name, count.into())).collect();
        value["divide"] = moves.into();
    }
    output::json(&value)
}
