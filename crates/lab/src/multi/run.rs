//! Plays the games of a match of four on worker threads.

use super::table::{MultiRecord, Table};
use crate::matches::MatchError;
use crate::players::{
    ClockTime, Greedy, Limit, MultiBudget, MultiPlayer, OwnPlayer, RandomMover, UciPlayer, UciSettings,
};
use crate::rng::Rng;
use lozenge_rules::notation::uci;
use lozenge_rules::position::MultiGame;
use lozenge_rules::seat::BySeat;
use lozenge_rules::variant::MultiVariant;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A kind of player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MultiKind {
    /// Takes what it can, with this seed.
    Greedy(u64),
    /// Moves at random, with this seed.
    Random(u64),
    /// The engine of this program, in this process.
    Own,
    /// A program that speaks UCI.
    Uci(UciSettings),
}

/// An engine of a match.
#[derive(Clone, Debug)]
pub struct MultiEngine {
    /// Its name in tables.
    pub name: String,
    /// The kind of player.
    pub kind: MultiKind,
    /// Its limit for a move.
    pub limit: Limit,
}

impl MultiEngine {
    fn player(&self) -> Box<dyn MultiPlayer> {
        match &self.kind {
            MultiKind::Greedy(seed) => Box::new(Greedy::new(*seed)),
            MultiKind::Random(seed) => Box::new(RandomMover::new(*seed)),
            MultiKind::Own => Box::new(OwnPlayer::new()),
            MultiKind::Uci(settings) => Box::new(UciPlayer::new(settings.clone())),
        }
    }
}

/// A match.
#[derive(Clone, Debug)]
pub struct MultiSettings {
    /// Two engines, or one for each seat. Of two, the first has one seat, or in games of teams one team, and the second the others.
    pub engines: Vec<MultiEngine>,
    /// The game.
    pub variant: Arc<MultiVariant>,
    /// Games.
    pub games: u32,
    /// Whether the seats rotate from game to game. Otherwise each engine keeps its seat.
    pub rotates: bool,
    /// Random plies before each game. The games of a rotation begin with the same.
    pub plies: u32,
    /// Seed of those.
    pub seed: u64,
    /// By how much a player may exceed its clock or its time for a move.
    pub margin: Duration,
    /// Plies after which a game ends as a draw by agreement.
    pub max_plies: Option<u32>,
    /// Games at once.
    pub concurrency: usize,
}

/// Plays a match. `report` is called for each game; when `interrupted` returns true, the match ends without the games in
/// progress.
///
/// # Errors
/// When an engine cannot be started, or `report` fails.
pub fn run(
    settings: &MultiSettings,
    report: &mut (dyn FnMut(&MultiRecord, &Table) -> std::io::Result<()> + Send),
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Table, MatchError> {
    for engine in &settings.engines {
        let started = engine.player().begin(&settings.variant);
        started
            .map_err(|error| MatchError::Engine { engine: engine.name.clone(), what: error.to_string() })?;
    }
    let next = AtomicU32::new(0);
    let results = Mutex::new((Table::new(settings.engines.len()), report, None));
    let work = || {
        let mut players: Vec<_> = settings.engines.iter().map(|_| Vec::new()).collect();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= settings.games || interrupted() {
                return;
            }
            let Some(record) = play(settings, number, &mut players, interrupted) else { return };
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            let (table, report, fault) = &mut *results;
            table.add(&record);
            if let Err(error) = report(&record, table) {
                *fault = Some(MatchError::from(error));
                next.store(settings.games, Ordering::Relaxed);
            }
        }
    };
    let all_ok = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..settings.concurrency.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().err()).count() == 0
    });
    let (table, _, fault) = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    match fault {
        Some(fault) => Err(fault),
        None if !all_ok => Err(MatchError::Worker),
        None => Ok(table),
    }
}

/// The engine of each seat in a game; that of an empty seat has no meaning.
fn seating(settings: &MultiSettings, number: u32) -> BySeat<usize> {
    let seats = settings.variant.seats().len() as usize;
    let turn = if settings.rotates { number as usize % seats } else { 0 };
    BySeat::from_fn(|seat| match settings.engines.len() {
        engines if engines == seats => (seat.index() + seats - turn) % seats,
        _ if settings.variant.is_teams() => (seat.index() + turn) % 2,
        _ => usize::from(seat.index() != turn),
    })
}

/// Plays a game; `None` if the match is interrupted. Each seat has a player of its own, which stays from game to game.
fn play(
    settings: &MultiSettings,
    number: u32,
    players: &mut [Vec<Box<dyn MultiPlayer>>],
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Option<MultiRecord> {
    let engines = seating(settings, number);
    let mut used = vec![0; players.len()];
    let places = BySeat::from_fn(|seat| {
        let engine = engines[seat];
        let place = used[engine];
        used[engine] += 1;
        if players[engine].len() <= place {
            players[engine].push(settings.engines[engine].player());
        }
        (engine, place)
    });
    let seats = settings.variant.seats();
    let mut game = opening(settings, if settings.rotates { number / seats.len() } else { number });
    let mut faults = Vec::new();
    for seat in seats.iter() {
        let (engine, place) = places[seat];
        if players[engine][place].begin(&settings.variant).is_err() {
            faults.push(engine);
        }
    }
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut times = Vec::new();
    let mut clocks = BySeat::from_fn(|seat| settings.engines[engines[seat]].limit.clock.map(ClockTime::new));
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        if interrupted() {
            return None;
        }
        if settings.max_plies.is_some_and(|most| game.turns().len() >= most as usize) {
            game.agree();
            continue;
        }
        let seat = game.position().turn();
        let (engine, place) = places[seat];
        let limit = &settings.engines[engine].limit;
        // A player without a clock gets the mover's as its own; its limit does not use it.
        let known = clocks[seat].map(|own| BySeat::from_fn(|other| clocks[other].unwrap_or(own)));
        let asked = Instant::now();
        let thought = players[engine][place].think(&game, MultiBudget { limit, clocks: known });
        let used = asked.elapsed();
        times.push(used);
        let is_late = limit.movetime.is_some_and(|most| used > most + settings.margin)
            || clocks[seat].as_mut().is_some_and(|clock| clock.press(used, settings.margin).is_err());
        let thought = thought.ok().filter(|_| !is_late);
        let played = thought.and_then(|text| uci::parse_multi(game.position(), &text).ok());
        if played.is_none_or(|played| game.play(played).is_err()) {
            faults.push(engine);
            game.time_out();
        }
    };
    Some(MultiRecord { number, engines, game, outcome, begun, times, faults })
}

/// A game after random moves after which all players are in the game, from the start.
fn opening(settings: &MultiSettings, number: u32) -> MultiGame {
    let mut rng = Rng::new(settings.seed ^ u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    loop {
        let mut game = MultiGame::new(&settings.variant);
        for _ in 0..settings.plies {
            let mut moves = game.position().legal_moves();
            moves.sort();
            if let Some(&chosen) = rng.one_of(&moves) {
                let _ = game.play(chosen);
            }
        }
        let is_fresh = game.outcome().is_none() && game.position().living() == settings.variant.seats();
        if is_fresh {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multi::SeatResults;
    use crate::stats::Interval;
    use lozenge_rules::library;
    use lozenge_rules::position::MultiTurn;
    use lozenge_rules::seat::Seat;

    fn settings(id: &str, engines: usize) -> MultiSettings {
        let engine = |number: usize| MultiEngine {
            name: number.to_string(),
            kind: if number == 0 { MultiKind::Random(1) } else { MultiKind::Greedy(number as u64) },
            limit: Limit::default(),
        };
        MultiSettings {
            engines: (0..engines).map(engine).collect(),
            variant: library::multi_game(id).unwrap(),
            games: 4,
            rotates: true,
            plies: 6,
            seed: 3,
            margin: Duration::from_millis(50),
            max_plies: None,
            concurrency: 1,
        }
    }

    #[test]
    fn every_engine_has_every_seat_equally_often() {
        for (id, engines) in [("diamondring-four", 2), ("diamondring-four", 4), ("diamondring-teams", 2)] {
            let settings = settings(id, engines);
            let mut counts = vec![BySeat::from_fn(|_| 0); engines];
            for number in 0..4 {
                let seats = seating(&settings, number);
                Seat::ALL.into_iter().for_each(|seat| counts[seats[seat]][seat] += 1);
            }
            for of_engine in &counts {
                let first = of_engine[Seat::Red];
                assert!(first > 0 && of_engine.iter().all(|&count| count == first), "{id}: {counts:?}");
            }
        }
    }

    #[test]
    fn all_places_of_a_game_are_given_once() {
        for (id, places, firsts) in [("diamondring-four", 10.0, 1.0), ("diamondring-teams", 6.0, 2.0)] {
            let settings = settings(id, 4);
            let table = run(&settings, &mut |_, _| Ok(()), &|| false).unwrap();
            let sum = |of: fn(&SeatResults) -> Option<Interval>| {
                table.totals.iter().filter_map(of).map(|found| found.value).sum::<f64>()
            };
            assert!((sum(SeatResults::mean_place) - places).abs() < 1e-9, "{table:?}");
            assert!((sum(SeatResults::first_share) - firsts).abs() < 1e-9, "{table:?}");
            assert!(table.games == 4 && table.totals.iter().all(|total| total.games == 4));
            assert_eq!(table.faults, [0; 4]);
        }
    }

    /// A player who makes no legal move is out of time, and the others play on.
    #[test]
    fn a_player_without_a_move_is_out() {
        struct Silent;
        impl MultiPlayer for Silent {
            fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), crate::players::PlayerError> {
                Ok(())
            }
            fn think(
                &mut self,
                _: &MultiGame,
                _: MultiBudget<'_>,
            ) -> Result<String, crate::players::PlayerError> {
                Ok("a1a1".into())
            }
        }
        let settings = settings("diamondring-four", 4);
        let mut players: Vec<Vec<Box<dyn MultiPlayer>>> = (0..4).map(|_| Vec::new()).collect();
        players[2].push(Box::new(Silent));
        let record = play(&settings, 0, &mut players, &|| false).unwrap();
        assert_eq!((record.faults.as_slice(), record.engines[Seat::Yellow]), (&[2][..], 2));
        assert!(record.game.turns().contains(&MultiTurn::TimeOut));
    }

    /// A clock that has run out puts its player out, and the game goes on.
    #[test]
    fn a_player_out_of_time_is_out() {
        struct Slow;
        impl MultiPlayer for Slow {
            fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), crate::players::PlayerError> {
                Ok(())
            }
            fn think(
                &mut self,
                game: &MultiGame,
                budget: MultiBudget<'_>,
            ) -> Result<String, crate::players::PlayerError> {
                assert!(budget.clocks.is_some());
                std::thread::sleep(Duration::from_millis(30));
                let position = game.position();
                Ok(uci::write_multi(position.variant(), position.legal_moves()[0]))
            }
        }
        let mut settings = settings("diamondring-four", 4);
        settings.margin = Duration::ZERO;
        settings.engines[1].limit = Limit { clock: Some("0.1".parse().unwrap()), ..Limit::default() };
        let mut players: Vec<Vec<Box<dyn MultiPlayer>>> = (0..4).map(|_| Vec::new()).collect();
        players[1].push(Box::new(Slow));
        let record = play(&settings, 0, &mut players, &|| false).unwrap();
        assert_eq!((record.faults.as_slice(), record.engines[Seat::Blue]), (&[1][..], 1));
        assert_eq!(record.game.position().out()[0], Seat::Blue);
    }
}
