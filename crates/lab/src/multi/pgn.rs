//! A finished game of four as PGN: tags by seat, moves in SAN, and after each turn that an engine made its time. Evaluations are left
//! out: readers take those of PGN for White's.

use super::run::MultiSettings;
use super::table::MultiRecord;
use crate::matches::{PgnHeader, date, millis};
use lozenge_rules::notation::pgn::{Comment, PgnCommand, PgnGame};
use lozenge_rules::notation::record;
use lozenge_rules::position::MultiEnd;
use std::time::Duration;

/// The game as a tree of PGN.
#[must_use]
pub fn tree(settings: &MultiSettings, header: &PgnHeader, record: &MultiRecord) -> PgnGame {
    let mut tree = record::multi_tree(&record.game);
    let turns = tree.line.nodes.len();
    // The random moves before come from no engine.
    let played = tree.line.nodes.iter_mut().skip(turns.saturating_sub(record.times.len()));
    for (node, &time) in played.zip(&record.times) {
        let mut comment = Comment::default();
        comment.push(&PgnCommand::MoveTime(Duration::from_millis(millis(time))));
        node.comments_after.push(comment);
    }
    let mut set = |name: &str, value: &str| {
        // A value with a line break does not fit in a tag and is left out.
        let _ = tree.tags.set(name, value);
    };
    set("Event", &header.event);
    set("Site", &header.site);
    set("Date", date(record.begun).as_deref().unwrap_or("????.??.??"));
    set("Round", &(record.number + 1).to_string());
    let engine = |seat| &settings.engines[record.engines[seat]];
    let seats = settings.variant.seats();
    for seat in seats.iter() {
        set(&seat.to_string(), &engine(seat).name);
    }
    let mut limits: Vec<String> = seats.iter().map(|seat| engine(seat).limit.to_string()).collect();
    if limits.iter().all(|limit| *limit == limits[0]) {
        limits.truncate(1);
    }
    set("TimeControl", &limits.join(" v "));
    let termination = match record.outcome.end {
        MultiEnd::Agreement => "adjudication",
        _ if record.game.ends_by_time() => "time forfeit",
        _ => "normal",
    };
    set("Termination", termination);
    set("PlyCount", &turns.to_string());
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multi::{MultiEngine, MultiKind, run};
    use crate::players::Limit;
    use lozenge_rules::library;
    use lozenge_rules::notation::pgn::{self, MoveNumber, Reader};
    use lozenge_rules::position::MultiGame;
    use lozenge_rules::seat::{BySeat, Seat};
    use lozenge_rules::variant::MultiVariant;
    use std::sync::Arc;

    fn armies() -> Arc<MultiVariant> {
        let text = include_str!("../../../../variants/examples/threearmies.toml");
        MultiVariant::parse("threearmies.toml", text, &library::text).unwrap()
    }

    /// Engines that capture what they can.
    fn settings(variant: &Arc<MultiVariant>) -> MultiSettings {
        let engine = |number: u64| MultiEngine {
            name: format!("engine {number}"),
            kind: MultiKind::Greedy(number),
            limit: Limit::default(),
        };
        MultiSettings {
            engines: (0..u64::from(variant.seats().len())).map(engine).collect(),
            variant: Arc::clone(variant),
            games: 3,
            rotates: true,
            plies: 6,
            seed: 4,
            margin: Duration::from_millis(50),
            max_plies: Some(150),
            concurrency: 1,
        }
    }

    /// Every game of a match is read back as it was played, and names its engines by seat.
    #[test]
    fn games_are_read_back_from_pgn() {
        let games = [library::multi_game("diamondring-four"), library::multi_game("diamondring-teams")];
        for variant in games.into_iter().flatten().chain([armies()]) {
            let settings = settings(&variant);
            let header = PgnHeader { event: "Greed".into(), site: "?".into() };
            let find = |_: &str| Some((&variant).into());
            let mut check = |record: &MultiRecord, _: &crate::multi::Table| {
                let tree = tree(&settings, &header, record);
                let mut text = String::new();
                pgn::write_game(&mut text, &tree, MoveNumber::default()).unwrap();
                let read = Reader::new(text.as_bytes()).next().unwrap().unwrap();
                let read =
                    record::resolve_any(read, &find).unwrap_or_else(|faults| panic!("{faults}\n{text}"));
                let game = read.game.four().unwrap();
                assert_eq!((game.turns(), game.position()), (record.game.turns(), record.game.position()));
                assert_eq!(read.tree.result, record::multi_result(record.outcome.result), "{text}");
                assert_eq!(record.times.len() + 6, game.turns().len(), "{text}");
                let second =
                    (settings.engines.len() as u32 - record.number) as usize % settings.engines.len();
                assert_eq!(read.tree.tags.get("Red"), Some(&*settings.engines[second].name), "{text}");
                assert_eq!(read.tree.tags.get("White"), None);
                Ok(())
            };
            assert_eq!(run(&settings, &mut check, &|| false).unwrap().games, 3);
        }
    }

    /// A game of teams ends when one player is out of time.
    #[test]
    fn pgn_says_that_the_time_decided() {
        let variant = library::multi_game("diamondring-teams").unwrap();
        let settings = settings(&variant);
        let mut game = MultiGame::new(&variant);
        assert!(game.time_out());
        let record = MultiRecord {
            number: 0,
            engines: BySeat::from_fn(Seat::index),
            outcome: game.outcome().unwrap(),
            game,
            begun: 0,
            times: Vec::new(),
            faults: vec![0],
        };
        let header = PgnHeader { event: "Greed".into(), site: "?".into() };
        assert_eq!(tree(&settings, &header, &record).tags.get("Termination"), Some("time forfeit"));
    }
}
