//! The public interface: the engine with its tables. Not here: the reports of a search (`report`).

use crate::eval::{self, BoardSets, Explanation, Pawns, Tally, Values};
use crate::multi::{self, MultiContext, MultiPaused, MultiValues};
use crate::ordering::Histories;
use crate::search::{self, FeatureKeys, SearchContext, Slice};
use crate::transposition::{HashRefused, TranspositionTable};
use crate::tunables::Tunables;
use crate::wdl::{Curve, Model};
use crate::{Info, Limits, Portion, Score, SearchReport, Signals};
use lozenge_rules::position::{
    AnyMultiPosition, AnyPosition, Game, GamePosition, MultiGame, Played, Position, WidthVisitor,
};
use lozenge_rules::seat::BySeat;
use lozenge_rules::variant::{MultiVariant, Rules, Variant};
use lozenge_tablebase::{SharedTables, Tables};
use std::sync::Arc;
use std::time::Duration;

/// One player: its memory of positions and its settings.
///
/// ```
/// use lozenge_engine::{Engine, Limits, Score, Signals};
/// use lozenge_rules::{position::{AnyPosition, Game}, library};
/// let diagonal = library::game("diagonal").unwrap();
/// // A pawn on g7 goes to h8 and wins.
/// let position = AnyPosition::from_fen(&diagonal, "8/6P1/8/8/3k4/8/8/K7 w - - 0 1").unwrap();
/// let limits = Limits { depth: Some(3), ..Limits::default() };
/// let game = Game::from_position(position);
/// let report = Engine::new(1).search(&game, &limits, &Signals::default(), &mut |_| {});
/// assert_eq!(report.score, Score::Wins(1));
/// ```
#[derive(Debug)]
pub struct Engine {
    table: TranspositionTable,
    threads: usize,
    tunables: Tunables,
    tables: Option<Arc<Tables>>,
    /// Where a game has no tables of its own above.
    shared_tables: SharedTables,
    game_data: Option<GameData>,
    /// A game of four is searched; then there is no `game_data`.
    multi_data: Option<MultiData>,
}

/// Data for the current game of four.
#[derive(Debug)]
struct MultiData {
    variant: Arc<MultiVariant>,
    values: MultiValues,
}

/// Data for the current game.
#[derive(Debug)]
struct GameData {
    variant: Arc<Variant>,
    values: Values,
    feature_keys: FeatureKeys,
    /// The model of results by score; loaded on first use.
    curve: Option<Curve>,
    /// As many as the threads of the last search needed.
    histories: Vec<Histories>,
}

impl GameData {
    /// Ages the histories, and adds some if there are more threads than before.
    fn prepare(&mut self, threads: usize) {
        self.provide(threads);
        self.histories.iter_mut().for_each(Histories::age);
    }

    /// Resizes the histories to the number that a search on `threads` threads needs.
    fn provide(&mut self, threads: usize) {
        let fresh = || Histories::new(self.values.pieces().count(), self.values.squares());
        self.histories.resize_with(search::histories_for(threads), fresh);
    }
}

/// A search that is done in slices, for a caller that cannot wait for the end of it and has one thread only, such as a
/// page in a browser.
#[derive(Debug)]
pub struct SlicedSearch {
    game: SlicedGame,
    limits: Limits,
}

/// A game that is searched in slices; no slice before the first one.
#[derive(Debug)]
enum SlicedGame {
    Two(Game, Option<Slice>),
    Four(MultiGame, Option<Slice<MultiPaused>>),
}

impl SlicedSearch {
    /// A search of the position at the end of a game for any number of players. Its time begins with the first slice.
    #[must_use]
    pub fn new(game: impl Into<Played>, limits: Limits) -> Self {
        let game = match game.into() {
            Played::Two(game) => SlicedGame::Two(game, None),
            Played::Four(game) => SlicedGame::Four(game, None),
        };
        Self { game, limits }
    }

    /// Time since the first slice began.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let elapsed = match &self.game {
            SlicedGame::Two(_, slice) => slice.as_ref().map(Slice::elapsed),
            SlicedGame::Four(_, slice) => slice.as_ref().map(Slice::elapsed),
        };
        elapsed.unwrap_or_default()
    }

    /// The position that is searched.
    #[must_use]
    pub fn position(&self) -> GamePosition {
        match &self.game {
            SlicedGame::Two(game, _) => game.position().clone().into(),
            SlicedGame::Four(game, _) => game.position().clone().into(),
        }
    }
}

impl Engine {
    /// Most threads of a search.
    pub const MAX_THREADS: usize = 512;

    /// An engine on one thread with a transposition table of `hash_mib` MiB, at least 1; of 1 MiB if the
    /// system refuses the memory.
    #[must_use]
    pub fn new(hash_mib: usize) -> Self {
        Self {
            table: TranspositionTable::at_most(hash_mib),
            threads: 1,
            tunables: Tunables::default(),
            tables: None,
            shared_tables: SharedTables::default(),
            game_data: None,
            multi_data: None,
        }
    }

    /// The size of the transposition table, in MiB.
    #[must_use]
    pub fn hash(&self) -> usize {
        self.table.mib()
    }

    /// Changes the size of the transposition table and forgets everything.
    ///
    /// # Errors
    /// When the system refuses the memory: then everything stays as it was.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashRefused> {
        self.table = TranspositionTable::new(mib)?;
        self.game_data = None;
        Ok(())
    }

    /// Most threads that make sense on this machine: with more than it can run at once they only wait
    /// for each other, and react slowly to a stop signal.
    #[must_use]
    pub fn useful_threads() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from).min(Self::MAX_THREADS)
    }

    /// Changes the number of threads, at least 1 and at most [`MAX_THREADS`](Self::MAX_THREADS). A
    /// search on one thread is the same on every machine; on several it is not even the same twice.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, Self::MAX_THREADS);
    }

    /// Endgame tables for searches of their own game; those of other games are searched without. Players with a handicap do
    /// not use them.
    pub fn set_tables(&mut self, tables: Option<Arc<Tables>>) {
        self.tables = tables;
        // Scores that were found without them, or with others, may be worse.
        self.table.clear();
    }

    /// Endgame tables of many games, from which each search takes those of its own game as they are when it begins.
    pub fn set_shared_tables(&mut self, tables: SharedTables) {
        self.shared_tables = tables;
        self.table.clear();
    }

    /// The endgame tables of a game, if there are any.
    #[must_use]
    pub fn tables_of(&self, variant: &Arc<Variant>) -> Option<Arc<Tables>> {
        let own = self.tables.as_ref().filter(|tables| tables.variant().texts() == variant.texts());
        own.cloned().or_else(|| self.shared_tables.of(variant))
    }

    /// Forgets everything but the game's own values, which follow from its rules.
    pub fn clear(&mut self) {
        self.table.clear();
        if let Some(game_data) = &mut self.game_data {
            game_data.histories.iter_mut().for_each(Histories::clear);
        }
    }

    /// The numbers of search and evaluation, to be changed between searches.
    pub fn tunables_mut(&mut self) -> &mut Tunables {
        &mut self.tunables
    }

    /// Searches the position at the end of `game`; draws by repetition see the whole game. `on_info`
    /// is called after each line of an iteration, and every second within it ([`Info::current`]). Returns when a limit is reached or on
    /// [`Signals::stop`]. A position without legal moves gives no move; a drawn game is searched on. Without any
    /// limit, and while pondering, it returns only on a signal, also when there is nothing left to find.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchReport {
        self.prepare(game.variant(), self.threads_for(limits));
        self.think(game, limits, signals, on_info, None)
    }

    /// Searches a portion further, on one thread. Returns the report once a limit is reached or on [`Signals::stop`], and
    /// `None` while there is more to search; without limits that is as long as the caller wants. Other searches of this
    /// engine in between do no harm, but what they displace from the table is searched again.
    ///
    /// A slice costs about ten nodes: the moves on the way back to where the search was.
    ///
    /// ```
    /// use lozenge_engine::{Engine, Limits, Portion, Signals, SlicedSearch};
    /// use lozenge_rules::{position::Game, library};
    /// let game = Game::new(&library::game("diamond").unwrap());
    /// let limits = Limits { depth: Some(9), ..Limits::default() };
    /// let mut search = SlicedSearch::new(game, limits);
    /// let (mut engine, signals) = (Engine::new(1), Signals::default());
    /// let report = loop {
    ///     let portion = Portion::Nodes(5_000);
    ///     if let Some(report) = engine.search_slice(&mut search, portion, &signals, &mut |_| {}) {
    ///         break report;
    ///     }
    /// };
    /// assert_eq!(report.depth, 9);
    /// ```
    pub fn search_slice(
        &mut self,
        search: &mut SlicedSearch,
        portion: Portion,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
    ) -> Option<SearchReport> {
        let SlicedSearch { game, limits } = search;
        match game {
            SlicedGame::Two(game, slice) => {
                if slice.is_none() {
                    self.prepare(game.variant(), 1);
                }
                let slice = slice.get_or_insert_with(Slice::new);
                slice.allow(portion);
                let report = self.think(game, limits, signals, on_info, Some(slice));
                (!slice.is_paused()).then_some(report)
            }
            SlicedGame::Four(game, slice) => {
                let slice = slice.get_or_insert_with(Slice::new);
                slice.allow(portion);
                let report = self.think_multi(game, limits, signals, on_info, Some(slice));
                (!slice.is_paused()).then_some(report)
            }
        }
    }

    /// Searches the position at the end of a game of four, on one thread. The score is that of the player to move; a win is counted
    /// in rounds of the players who are living. Otherwise as [`search`](Self::search); endgame tables and most
    /// [tunables](Self::tunables_mut) have no effect.
    ///
    /// ```
    /// use lozenge_engine::{Engine, Limits, Signals};
    /// use lozenge_rules::{library, position::MultiGame};
    /// let game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    /// let limits = Limits { depth: Some(2), ..Limits::default() };
    /// let report = Engine::new(1).search_multi(&game, &limits, &Signals::default(), &mut |_| {});
    /// assert!(game.position().legal_moves().contains(&report.best.unwrap()));
    /// ```
    pub fn search_multi(
        &mut self,
        game: &MultiGame,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchReport {
        self.think_multi(game, limits, signals, on_info, None)
    }

    fn think_multi(
        &mut self,
        game: &MultiGame,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
        slice: Option<&mut Slice<MultiPaused>>,
    ) -> SearchReport {
        let data = self.take_multi_data(game.position().variant());
        if slice.as_ref().is_none_or(|slice| !slice.is_paused()) {
            self.table.age();
        }
        let (values, table) = (&data.values, &self.table);
        let report = multi::think(MultiContext { game, limits, signals, on_info, values, table, slice });
        self.multi_data = Some(data);
        report
    }

    /// Searches the position at the end of a game for any number of players.
    ///
    /// ```
    /// use lozenge_engine::{Engine, Limits, Signals};
    /// use lozenge_rules::{library, position::{MultiGame, Played}};
    /// let game = Played::Four(MultiGame::new(&library::multi_game("diamondring-four").unwrap()));
    /// let limits = Limits { nodes: Some(200), ..Limits::default() };
    /// let report = Engine::new(1).search_played(&game, &limits, &Signals::default(), &mut |_| {});
    /// assert!(report.best.is_some_and(|best| game.legal_moves().contains(&best)));
    /// ```
    pub fn search_played(
        &mut self,
        game: &Played,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchReport {
        match game {
            Played::Two(game) => self.search(game, limits, signals, on_info),
            Played::Four(game) => self.search_multi(game, limits, signals, on_info),
        }
    }

    /// The static evaluation of a position of four, in centipawns: what each living player has, and the score of the player to
    /// move.
    pub fn evaluate_multi(&mut self, position: &AnyMultiPosition) -> (BySeat<i32>, i32) {
        let data = self.take_multi_data(position.variant());
        let evaluation = data.values.evaluate(position);
        self.multi_data = Some(data);
        evaluation
    }

    /// The data of a game of four, computed again if another game was played before; then the table is cleared.
    fn take_multi_data(&mut self, variant: &Arc<MultiVariant>) -> MultiData {
        let current = self.multi_data.take().filter(|data| Arc::ptr_eq(&data.variant, variant));
        if self.game_data.take().is_some() || current.is_none() {
            self.table.clear();
        }
        let fresh = || MultiData { variant: Arc::clone(variant), values: MultiValues::new(variant) };
        current.unwrap_or_else(fresh)
    }

    /// Threads of a search. A handicap limits its nodes: shared by several threads they would be another handicap.
    const fn threads_for(&self, limits: &Limits) -> usize {
        if limits.handicap.is_some() { 1 } else { self.threads }
    }

    /// Ages the memory for a new search of a game.
    fn prepare(&mut self, variant: &Arc<Variant>, threads: usize) {
        let game_data = prepare_game(&mut self.game_data, &mut self.table, variant);
        // Only now: a table that has aged counts as written to, and another game clears it.
        self.table.age();
        game_data.prepare(threads);
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
        slice: Option<&mut Slice>,
    ) -> SearchReport {
        let threads = if slice.is_some() { 1 } else { self.threads_for(limits) };
        let tables = self.tables_of(game.variant());
        let Self { table, tunables, game_data, .. } = self;
        let game_data = prepare_game(game_data, table, game.variant());
        game_data.provide(threads);
        let GameData { values, feature_keys, histories, .. } = game_data;
        let (table, tunables) = (&*table, *tunables);
        let tables = tables.as_deref();
        let context = SearchContext {
            game,
            limits,
            signals,
            on_info,
            values,
            feature_keys,
            table,
            tables,
            threads,
            histories,
            tunables,
        };
        game.position().visit(Think { context, slice })
    }

    /// The static evaluation of a position from its side to move, without search.
    pub fn evaluate(&mut self, position: &AnyPosition) -> Score {
        let Self { table, game_data, .. } = self;
        let values = &prepare_game(game_data, table, position.variant()).values;
        Score::from_number(position.visit(Evaluate { values }))
    }

    /// The static evaluation, term by term.
    pub fn explain(&mut self, position: &AnyPosition) -> Explanation {
        let Self { table, game_data, .. } = self;
        let values = &prepare_game(game_data, table, position.variant()).values;
        position.visit(Explain { values })
    }

    /// The win-draw-loss model for a position.
    pub fn chances(&mut self, position: &AnyPosition) -> Model {
        let variant = position.variant();
        let game_data = prepare_game(&mut self.game_data, &mut self.table, variant);
        game_data.curve.get_or_insert_with(|| Curve::of(variant)).model(position)
    }

    /// The values that the engine plays a game with.
    pub fn values(&mut self, variant: &Arc<Variant>) -> &Values {
        &prepare_game(&mut self.game_data, &mut self.table, variant).values
    }
}

/// The data of a game, computed again if another game was played before. Then the table is cleared, because the
/// same key means another position there.
fn prepare_game<'k>(
    game_data: &'k mut Option<GameData>,
    table: &mut TranspositionTable,
    variant: &Arc<Variant>,
) -> &'k mut GameData {
    let current = game_data.take().filter(|game_data| Arc::ptr_eq(&game_data.variant, variant));
    game_data.insert(current.unwrap_or_else(|| {
        table.clear();
        let values = Values::new(variant);
        let feature_keys = FeatureKeys::new(&values);
        GameData { variant: Arc::clone(variant), values, feature_keys, curve: None, histories: Vec::new() }
    }))
}

/// A search on the fast form of a position.
struct Think<'a> {
    context: SearchContext<'a>,
    slice: Option<&'a mut Slice>,
}

impl WidthVisitor for Think<'_> {
    type Output = SearchReport;
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> SearchReport {
        search::think(self.context, self.slice, position, rules)
    }
}

/// The explanation on the fast form of a position.
struct Explain<'a> {
    values: &'a Values,
}

impl WidthVisitor for Explain<'_> {
    type Output = Explanation;
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> Explanation {
        eval::explain(position, rules, self.values)
    }
}

/// The evaluation on the fast form of a position.
struct Evaluate<'a> {
    values: &'a Values,
}

impl WidthVisitor for Evaluate<'_> {
    type Output = i32;
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> i32 {
        let tally = Tally::of(position, self.values);
        let board_sets = BoardSets::new(self.values, rules);
        let pawns = Pawns::new(position, self.values, &board_sets);
        eval::evaluate(position, rules, self.values, &board_sets, &tally, &pawns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn clear_empties_table_after_first_search() {
        let mut engine = Engine::new(1);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let game = Game::new(&library::game("diamond").unwrap());
        engine.search(&game, &limits, &Signals::default(), &mut |_| {});
        assert!(engine.table.fullness() > 0);
        engine.clear();
        assert_eq!(engine.table.fullness(), 0);
    }

    #[test]
    fn a_cleared_engine_searches_like_a_new_one() {
        let limits = Limits { depth: Some(9), ..Limits::default() };
        for id in ["diamond", "diamondring"] {
            let game = Game::new(&library::game(id).unwrap());
            let mut engine = Engine::new(1);
            let mut nodes = || {
                let nodes = engine.search(&game, &limits, &Signals::default(), &mut |_| {}).nodes;
                engine.clear();
                nodes
            };
            assert_eq!(nodes(), nodes(), "{id}");
        }
    }

    #[test]
    fn entries_of_extended_nodes_claim_no_more_depth_than_was_asked() {
        let chess = library::game("chess").unwrap();
        // The only move gives check, so the node after it is extended.
        let position = AnyPosition::from_fen(&chess, "4Q1nk/8/8/7r/8/8/6P1/6RK w - - 0 1").unwrap();
        let mut engine = Engine::new(1);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let game = Game::from_position(position.clone());
        let best = engine.search(&game, &limits, &Signals::default(), &mut |_| {}).best.unwrap();
        let after = position.play(best).unwrap();
        assert!(after.is_check());
        assert_eq!(engine.table.probe(after.key()).map(|hit| hit.depth), Some(5));
    }
}
