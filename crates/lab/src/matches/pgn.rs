//! A finished game as PGN: tags, moves in SAN, and after each move its player's evaluation.

use super::record::{GameRecord, WrittenScore};
use super::settings::MatchSettings;
use jiff::{Timestamp, tz::TimeZone};
use lozenge_rules::notation::pgn::{self, Comment, Eval, PgnCommand, ResultTag};
use lozenge_rules::notation::{record, uci};
use lozenge_rules::position::{AnyPosition, Color, Game};
use std::time::Duration;

/// The tags that the games of a match have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnHeader {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
}

/// The game as a tree of PGN; `None` when the record is not of this match.
#[must_use]
pub fn tree(settings: &MatchSettings, header: &PgnHeader, written: &GameRecord) -> Option<pgn::PgnGame> {
    let variant = settings.variants.iter().find(|variant| variant.id() == written.game)?;
    let start = AnyPosition::from_fen(variant, &written.fen).ok()?;
    let first = start.turn();
    let mut game = Game::from_position(start);
    for entry in &written.moves {
        let played = uci::parse(game.position(), &entry.text).ok()?;
        game.play(played).ok()?;
    }
    let mut tree = record::tree(&game);
    let mut mover = first;
    for (node, entry) in tree.line.nodes.iter_mut().zip(&written.moves) {
        let mut comment = Comment::default();
        if let Some(score) = entry.score {
            comment.push(&PgnCommand::Eval { score: from_white(score, mover), depth: entry.depth });
        }
        comment.push(&PgnCommand::MoveTime(Duration::from_millis(entry.millis)));
        if let Some(nodes) = entry.nodes {
            comment.push(&PgnCommand::Other(format!("nodes {nodes}")));
        }
        node.comments_after.push(comment);
        mover = mover.opponent();
    }
    tree.set_result(result(written));
    let names = [&settings.engines[0], &settings.engines[1]];
    let [white, black] = if written.swapped { [names[1], names[0]] } else { names };
    let mut set = |name: &str, value: &str| {
        // A value with a line break does not fit in a tag and is left out.
        let _ = tree.tags.set(name, value);
    };
    set("Event", &header.event);
    set("Site", &header.site);
    set("Date", date(written.begun).as_deref().unwrap_or("????.??.??"));
    set("Round", &format!("{}.{}", written.pair + 1, if written.swapped { 2 } else { 1 }));
    set("White", &white.name);
    set("Black", &black.name);
    set("TimeControl", &limits(&white.limit.to_string(), &black.limit.to_string()));
    set("Termination", written.ending.termination());
    set("PlyCount", &written.moves.len().to_string());
    let why = written.ending.words();
    let why = if written.detail.is_empty() { why.into() } else { format!("{why}: {}", written.detail) };
    let why = why.replace(['{', '}'], "");
    match tree.line.nodes.last_mut().and_then(|node| node.comments_after.last_mut()) {
        Some(last) => *last = Comment::new(format!("{} {why}", last.text())),
        // It ended before the first move.
        None => tree.line.start_comments.push(Comment::new(why)),
    }
    Some(tree)
}

fn limits(white: &str, black: &str) -> String {
    if white == black { white.to_owned() } else { format!("{white} v {black}") }
}

fn result(written: &GameRecord) -> ResultTag {
    use crate::stats::Points;
    match (written.points, written.swapped) {
        (Points::Draw, _) => ResultTag::Draw,
        (Points::Win, false) | (Points::Loss, true) => ResultTag::WhiteWins,
        (Points::Loss, false) | (Points::Win, true) => ResultTag::BlackWins,
    }
}

fn from_white(score: WrittenScore, mover: Color) -> Eval {
    let sign = if mover == Color::White { 1 } else { -1 };
    let moves = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
    match score {
        WrittenScore::Centipawns(centipawns) => {
            Eval::Centipawns(sign * centipawns.clamp(-1_000_000, 1_000_000))
        }
        WrittenScore::Wins(to_go) => Eval::Mate(sign * moves(to_go)),
        WrittenScore::Loses(to_go) => Eval::Mate(-sign * moves(to_go)),
    }
}

/// The date in UTC, as PGN writes it, of a time in seconds since 1970; `None` for times outside the calendar.
pub(crate) fn date(seconds: u64) -> Option<String> {
    let at = Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?;
    Some(at.to_zoned(TimeZone::UTC).strftime("%Y.%m.%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unix_days_become_dates() {
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_000_000_000, "2001.09.09"),
            (4_107_542_399, "2100.02.28"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds).as_deref(), Some(expected));
        }
        assert_eq!(date(u64::MAX), None);
    }
}
