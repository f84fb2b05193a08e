//! Thinking, pondering, moving, and claiming results.

use super::command::CommandError;
use super::format::{self, XboardFormat};
use super::session::{Active, Mode, Purpose, XboardSession};
use super::{setup, squares};
use crate::event::SearchResult;
use crate::games::{self, NORMAL};
use crate::options::fresh_engine;
use crate::session::MAX_GAME_MOVES;
use crate::task::{Format, RunningTask, Task};
use lozenge_engine::{Engine, Limits, Score};
use lozenge_rules::position::Played;
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Game, Move, Outcome};
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The engine accepts a draw if its score is at most this, in centipawns.
const DRAW_ACCEPTANCE: i32 = -40;
/// After this many plies it also accepts a draw with an equal score.
const LONG_GAME: usize = 100;

impl XboardSession {
    /// `new`: orthodox chess, the engine plays Black. `keep`: the game stays.
    pub(super) fn new_game(&mut self, keep: bool) {
        let variant = match self.state.games.game(games::DEFAULT_VARIANT) {
            Some(normal) if !keep => normal,
            _ => Arc::clone(self.state.game.variant()),
        };
        self.set_variant(&variant);
        self.clocks.restart();
        self.computer = false;
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
    }

    /// `variant`.
    pub(super) fn variant(&mut self, name: &str, line: &str) {
        let Some(variant) = self.state.games.game(name) else {
            self.write(CommandError::new("unknown variant", line));
            self.write(format::comment(games::unknown(name, &self.state.games.ids())));
            return;
        };
        if name != NORMAL {
            self.write(setup::setup_lines(&variant));
        }
        self.set_variant(&variant);
    }

    /// Another game from its start.
    fn set_variant(&mut self, variant: &Arc<Variant>) {
        let opened = self.state.set_variant(variant);
        self.report(opened);
        self.forget_game();
    }

    /// Another game or position.
    fn set_game(&mut self, game: Game) {
        self.state.game = game;
        self.state.refused = None;
        self.forget_game();
    }

    /// Nothing of the old game or position counts.
    fn forget_game(&mut self) {
        self.move_due = false;
        self.expected = None;
        self.score = None;
        self.excluded.clear();
    }

    /// `setboard`.
    pub(super) fn set_board(&mut self, fen: &str) {
        let variant = self.state.game.variant();
        let fen = squares::fen_from_xboard(variant, fen);
        let position = AnyPosition::from_fen(variant, &fen).or_else(|fault| {
            without_rights(&fen)
                .map_or(Err(fault.clone()), |fen| AnyPosition::from_fen(variant, &fen).map_err(|_| fault))
        });
        match position {
            Ok(position) => self.set_game(Game::from_position(position)),
            Err(fault) => {
                self.write("tellusererror Illegal position");
                self.write(format::comment(&fault));
                self.state.refused = Some(fault.to_string());
                self.move_due = false;
                self.expected = None;
            }
        }
    }

    /// `force`, `playother`, `analyze`, `exit`.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.move_due = false;
    }

    /// `go`.
    pub(super) fn go(&mut self) {
        // The engine is already thinking.
        if self.is_thinking() {
            return;
        }
        self.mode = Mode::Play(self.state.game.position().turn());
        self.move_due = true;
    }

    /// `?`
    pub(super) fn move_now(&mut self) {
        if let Some(active) = self.active.as_ref().filter(|_| self.is_thinking()) {
            active.task.stop();
        }
    }

    /// Whether a text is a legal move.
    pub(super) fn is_legal(&self, text: &str) -> bool {
        squares::parse(self.state.game.position(), text).is_ok()
    }

    /// Whether a text is this move.
    pub(super) fn is_move(&self, text: &str, expected: Move) -> bool {
        squares::parse(self.state.game.position(), text).is_ok_and(|found| found == expected)
    }

    /// `usermove`: the opponent's move, or in force mode either side's.
    pub(super) fn user_move(&mut self, text: &str) {
        let next = match self.legal_move(text) {
            Ok(next) => next,
            Err(why) => {
                let quoted = crate::output::one_line(text.chars().take(60).collect::<String>());
                self.write(format_args!("Illegal move{why}: {quoted}"));
                return;
            }
        };
        let hit = (self.active.as_mut()).filter(|active| active.purpose == Purpose::Ponder(next));
        let pondered = hit.is_some();
        if let Some(active) = hit {
            active.purpose = Purpose::Think(Instant::now());
            active.format.set_expected(None);
            active.task.ponder_hit();
        }
        self.play(next);
        if let Mode::Play(_) = self.mode {
            // In a game the engine replies to every move, of either side.
            self.mode = Mode::Play(self.state.game.position().turn());
            self.move_due = !pondered;
        }
    }

    /// The legal move with this text, or why the text is not one, in XBoard's brackets.
    pub(super) fn legal_move(&self, text: &str) -> Result<Move, &'static str> {
        if self.is_thinking() {
            return Err(" (not your turn)");
        }
        if self.state.refused.is_some() {
            return Err(" (no legal position)");
        }
        if self.state.game.moves().len() >= MAX_GAME_MOVES {
            return Err(" (the game is too long)");
        }
        squares::parse(self.state.game.position(), text).map_err(|_| self.illegality())
    }

    /// The reason why a move is illegal, in XBoard's brackets.
    fn illegality(&self) -> &'static str {
        let position = self.state.game.position();
        if position.legal_moves().is_empty() {
            " (the game is over)"
        } else if position.is_check() {
            " (in check)"
        } else {
            ""
        }
    }

    fn play(&mut self, next: Move) {
        // Legal: it was found among the legal moves of this position.
        let _ = self.state.game.play(next);
        self.expected = None;
        self.excluded.clear();
    }

    /// `undo`, `remove`.
    pub(super) fn undo(&mut self, moves: usize, line: &str) {
        if self.state.game.moves().len() < moves {
            self.write(CommandError::new("no move to take back", line));
            return;
        }
        for _ in 0..moves {
            self.state.game.undo();
            if self.mode == Mode::Play(self.state.game.position().turn()) {
                self.clocks.unmoved();
            }
        }
        self.move_due = false;
        self.expected = None;
        self.excluded.clear();
    }

    /// Starts the next task: the move that is due or, if no line is pending, analysis or pondering.
    pub(super) fn start_next(&mut self, idle: bool) {
        if self.active.is_some() || self.state.refused.is_some() {
            return;
        }
        match self.mode {
            Mode::Play(_) if self.move_due => self.think(),
            Mode::Play(color) if idle && self.ponder && color != self.state.game.position().turn() => {
                self.ponder();
            }
            Mode::Analyze if idle => self.analyze(),
            _ => {}
        }
    }

    fn overhead(&self) -> Duration {
        Duration::from_millis(self.state.options.overhead as u64)
    }

    /// The moves that are not excluded; empty if no move or every move is excluded.
    fn not_excluded(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.state.game.position().legal_moves();
        legal.into_iter().filter(|next| !self.excluded.contains(next)).collect()
    }

    fn think(&mut self) {
        self.move_due = false;
        if self.claim() {
            return;
        }
        // The game goes on: XBoard waits for a move.
        if matches!(self.state.game.outcome(), Some(Outcome::Draw(_))) {
            self.write("offer draw");
        }
        let limits = self.limits(self.playable(&self.state.game));
        let game = self.state.game.clone();
        self.start(
            Task::Search { game: Played::Two(game), limits, infinite: false },
            Purpose::Think(Instant::now()),
        );
    }

    /// The moves to choose from in a game: without excluded ones and without castlings after which XBoard would show a
    /// wrong board. Empty if no move or every move is left out.
    fn playable(&self, game: &Game) -> Vec<Move> {
        let (variant, legal) = (game.variant(), game.position().legal_moves());
        let is_playable =
            |next: &&Move| setup::is_supported(variant, **next) && !self.excluded.contains(next);
        let moves: Vec<Move> = legal.iter().filter(is_playable).copied().collect();
        if moves.len() == legal.len() { Vec::new() } else { moves }
    }

    fn ponder(&mut self) {
        let Some(expected) = self.expected else { return };
        let mut game = self.state.game.clone();
        if game.play(expected).is_err() || game.position().legal_moves().is_empty() {
            self.expected = None;
            return;
        }
        let limits = self.limits(self.playable(&game));
        let hint = squares::write(self.state.game.variant(), expected);
        if self.post {
            self.write(format_args!("Hint: {hint}"));
        }
        self.start(
            Task::Search { game: Played::Two(game), limits, infinite: false },
            Purpose::Ponder(expected),
        );
    }

    fn analyze(&mut self) {
        let (legal, searchmoves) = (self.state.game.position().legal_moves(), self.not_excluded());
        let all_excluded = searchmoves.is_empty() && legal.iter().any(|next| self.excluded.contains(next));
        if legal.is_empty() || all_excluded {
            return;
        }
        let limits =
            Limits { searchmoves, multipv: self.state.options.multipv as usize, ..Limits::default() };
        let task = Task::Search { game: Played::Two(self.state.game.clone()), limits, infinite: true };
        self.start(task, Purpose::Analyze);
    }

    /// The limits of the search for a move.
    fn limits(&self, searchmoves: Vec<Move>) -> Limits {
        let handicap = self.state.options.handicap();
        Limits { searchmoves, handicap, ..self.clocks.limits(self.overhead()) }
    }

    /// Starts a task.
    pub(super) fn start(&mut self, task: Task, purpose: Purpose) {
        let engine = self.state.engine.take().unwrap_or_else(|| fresh_engine(&self.state.options));
        let format = XboardFormat::new(self.post);
        let pondering = match purpose {
            Purpose::Ponder(expected) => {
                format.set_expected(Some(squares::write(self.state.game.variant(), expected)));
                true
            }
            _ => false,
        };
        let for_task = Arc::clone(&format) as Arc<dyn Format>;
        match RunningTask::start(task, pondering, engine, for_task, &self.state.output, &self.state.events) {
            Some(task) => self.active = Some(Active { task, format, purpose, discarded: false }),
            None => {
                self.put_back(None);
                self.write("tellusererror cannot start a thread for the search");
            }
        }
    }

    fn put_back(&mut self, engine: Option<Engine>) {
        let opened = self.state.put_back(engine);
        self.report(opened);
    }

    /// A task has ended.
    pub(super) fn task_ended(&mut self, engine: Option<Engine>, result: Option<SearchResult>) {
        let failed = engine.is_none();
        self.put_back(engine);
        let Some(active) = self.active.take().filter(|active| !active.discarded) else { return };
        match (active.purpose, result) {
            (Purpose::Think(since), Some(result)) => self.make_move(&result, since.elapsed()),
            // Another analysis would fail again.
            (Purpose::Analyze, _) if failed => self.mode = Mode::Force,
            (Purpose::Ponder(_), _) => self.expected = None,
            _ => {}
        }
    }

    /// Makes the engine's move and claims results.
    fn make_move(&mut self, result: &SearchResult, elapsed: Duration) {
        let Some(best) = result.best else { return };
        self.clocks.moved(elapsed);
        self.score = result.score;
        let text = squares::write(self.state.game.variant(), best);
        self.play(best);
        // A draw that can be claimed after the move is offered before it.
        if self.is_drawn() {
            self.write("offer draw");
        }
        self.write(format_args!("move {text}"));
        self.expected = result.ponder.filter(|&ponder| self.state.game.position().is_legal(ponder));
        self.claim();
    }

    /// Whether the game is drawn although there are legal moves, or a draw can be claimed and the engine does not stand
    /// better.
    fn is_drawn(&self) -> bool {
        match self.state.game.outcome() {
            Some(Outcome::Draw(reason)) => reason != DrawReason::Stalemate,
            Some(Outcome::Win { .. }) => false,
            None => self.state.game.claimable_draw().is_some() && !self.is_better(),
        }
    }

    /// Claims the result if the game is over, or if the engine has the move and wants a draw that can be claimed.
    /// Returns whether it has.
    ///
    /// Between two programs XBoard checks every claim by its own rules and forfeits the program whose claim it does not
    /// understand; it accepts only a claim to have lost. So there the engine lets the loser claim, and offers draws.
    fn claim(&mut self) -> bool {
        let turn = self.state.game.position().turn();
        let own = self.mode == Mode::Play(turn);
        let result = match self.state.game.outcome() {
            Some(Outcome::Win { winner, .. }) if self.computer && self.mode == Mode::Play(winner) => {
                return true;
            }
            Some(outcome @ (Outcome::Win { .. } | Outcome::Draw(DrawReason::Stalemate))) => {
                if self.computer && !own {
                    return true;
                }
                format::result(outcome)
            }
            _ if self.computer => return false,
            Some(outcome) => format::result(outcome),
            None if own && self.is_drawn() => match self.state.game.claimable_draw() {
                Some(reason) => format::draw(reason),
                None => return false,
            },
            None => return false,
        };
        self.write(result);
        self.move_due = false;
        self.expected = None;
        true
    }

    /// Whether the engine stood better after its last search.
    fn is_better(&self) -> bool {
        match self.score {
            Some(Score::Centipawns(centipawns)) => centipawns > 0,
            Some(Score::Wins(_)) => true,
            Some(Score::Loses(_)) | None => false,
        }
    }

    /// `draw`: accepts by offering a draw, declines by silence.
    pub(super) fn answer_draw(&mut self) {
        let long = self.state.game.moves().len() >= LONG_GAME;
        let accepted = match self.score {
            _ if self.is_drawn() => true,
            Some(Score::Centipawns(centipawns)) => centipawns <= if long { 0 } else { DRAW_ACCEPTANCE },
            Some(Score::Loses(_)) => true,
            Some(Score::Wins(_)) | None => false,
        };
        if accepted {
            self.write("offer draw");
        }
    }

    /// `hint`: the expected move, or the best move of the running analysis.
    pub(super) fn hint(&mut self) {
        let analysis = self.active.as_ref().filter(|active| active.purpose == Purpose::Analyze);
        let hint = match (self.expected, analysis) {
            (Some(expected), _) => Some(squares::write(self.state.game.variant(), expected)),
            (None, Some(active)) => active.format.latest().best,
            (None, None) => None,
        };
        if let Some(hint) = hint {
            self.write(format_args!("Hint: {hint}"));
        }
    }

    /// `.`
    pub(super) fn status(&mut self) {
        if let Some(active) = &self.active {
            let moves = self.state.game.position().legal_moves().len();
            self.write(format::status(&active.format.latest(), active.task.started.elapsed(), moves));
        }
    }

    /// `exclude`.
    pub(super) fn exclude(&mut self, text: Option<&str>, line: &str) {
        let position = self.state.game.position();
        match text.map(|text| squares::parse(position, text)) {
            None => self.excluded = position.legal_moves(),
            Some(Ok(excluded)) if !self.excluded.contains(&excluded) => self.excluded.push(excluded),
            Some(Ok(_)) => {}
            Some(Err(_)) => self.write(CommandError::new("no legal move", line)),
        }
    }

    /// `include`.
    pub(super) fn include(&mut self, text: Option<&str>, line: &str) {
        match text.map(|text| squares::parse(self.state.game.position(), text)) {
            None => self.excluded.clear(),
            Some(Ok(included)) => self.excluded.retain(|&excluded| excluded != included),
            Some(Err(_)) => self.write(CommandError::new("no legal move", line)),
        }
    }
}

/// The FEN without castling rights and en passant target, which XBoard sets by its own rules in games that it does not
/// know.
fn without_rights(fen: &str) -> Option<String> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    for number in [2, 3] {
        *fields.get_mut(number)? = "-";
    }
    fields.truncate(6);
    Some(fields.join(" "))
}
