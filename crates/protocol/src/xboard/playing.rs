//! What the engine does for its side: thinking, pondering, moving, claiming results.

use super::command::CommandError;
use super::format;
use super::session::{Active, Mode, Purpose, Session};
use super::{setup, squares};
use crate::games;
use crate::options::fresh_engine;
use crate::work::{Found, Running, Task, Voice};
use lozenge_engine::{Engine, Limits, Score};
use lozenge_rules::position::{AnyPosition, Color, DrawReason, Game, Move, Outcome};
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A draw is accepted by an engine that stands no better than this, in centipawns.
const DRAWISH: i32 = -40;
/// After so many plies it need not stand worse at all.
const LONG_GAME: usize = 100;
/// Longest game, in moves.
const MAX_MOVES: usize = 20_000;

impl Session {
    /// `new`: orthodox chess, the engine plays Black. `keep`: the game stays.
    pub(super) fn new_game(&mut self, keep: bool) {
        let variant = match self.parts.games.game(setup::NORMAL.1) {
            Some(normal) if !keep => normal,
            _ => Arc::clone(self.parts.game.variant()),
        };
        if let Some(engine) = &mut self.parts.engine {
            engine.clear();
        }
        self.set_game(Game::new(&variant));
        self.clocks.restart();
        self.computer = false;
        if self.mode != Mode::Analyze {
            self.mode = Mode::Play(Color::Black);
        }
    }

    /// The game that XBoard calls so.
    pub(super) fn known(&self, name: &str) -> Option<Arc<Variant>> {
        self.parts.games.game(if name == setup::NORMAL.0 { setup::NORMAL.1 } else { name })
    }

    /// `variant`.
    pub(super) fn variant(&mut self, name: &str, line: &str) {
        let Some(variant) = self.known(name) else {
            self.say(CommandError::new("unknown variant", line));
            self.say(format::remark(games::unknown(name, &self.parts.games.ids())));
            return;
        };
        if let Some(engine) = &mut self.parts.engine {
            engine.clear();
        }
        if name != setup::NORMAL.0 {
            self.say(setup::introduce(&variant));
        }
        self.set_game(Game::new(&variant));
    }

    /// Another game or position: nothing of the old one counts.
    fn set_game(&mut self, game: Game) {
        self.parts.game = game;
        self.due = false;
        self.refused = false;
        self.expected = None;
        self.score = None;
        self.excluded.clear();
    }

    /// `setboard`.
    pub(super) fn set_board(&mut self, fen: &str) {
        let variant = self.parts.game.variant();
        let fen = squares::fen_from_xboard(variant, fen);
        let position = AnyPosition::from_fen(variant, &fen).or_else(|fault| {
            without_rights(&fen)
                .map_or(Err(fault.clone()), |fen| AnyPosition::from_fen(variant, &fen).map_err(|_| fault))
        });
        match position {
            Ok(position) => self.set_game(Game::from_position(position)),
            Err(fault) => {
                self.say("tellusererror Illegal position");
                self.say(format::remark(fault));
                self.refused = true;
                self.due = false;
                self.expected = None;
            }
        }
    }

    /// `force`, `playother`, `analyze`, `exit`.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.due = false;
    }

    /// `go`.
    pub(super) fn go(&mut self) {
        // It already does.
        if self.thinks() {
            return;
        }
        self.mode = Mode::Play(self.parts.game.position().turn());
        self.due = true;
    }

    /// `?`
    pub(super) fn move_now(&mut self) {
        if let Some(active) = self.active.as_ref().filter(|_| self.thinks()) {
            active.running.stop();
        }
    }

    /// Whether a text is a legal move.
    pub(super) fn is_legal(&self, text: &str) -> bool {
        squares::parse(self.parts.game.position(), text).is_ok()
    }

    /// Whether a text is this move.
    pub(super) fn is_move(&self, text: &str, expected: Move) -> bool {
        squares::parse(self.parts.game.position(), text).is_ok_and(|found| found == expected)
    }

    /// The opponent's move, or in force mode anybody's.
    pub(super) fn user_move(&mut self, text: &str) {
        let next = match self.acceptable(text) {
            Ok(next) => next,
            Err(why) => {
                let shown = crate::output::one_line(text.chars().take(60).collect::<String>());
                self.say(format_args!("Illegal move{why}: {shown}"));
                return;
            }
        };
        let hit = (self.active.as_mut()).filter(|active| active.purpose == Purpose::Ponder(next));
        let pondered = hit.is_some();
        if let Some(active) = hit {
            active.purpose = Purpose::Think(Instant::now());
            active.voice.expect(None);
            active.running.hit();
        }
        self.play(next);
        if let Mode::Play(_) = self.mode {
            // In a game every move is answered, whoever made it.
            self.mode = Mode::Play(self.parts.game.position().turn());
            self.due = !pondered;
        }
    }

    /// The move that a text names where one can be made; otherwise why not, in XBoard's brackets.
    pub(super) fn acceptable(&self, text: &str) -> Result<Move, &'static str> {
        if self.thinks() {
            return Err(" (not your turn)");
        }
        if self.refused {
            return Err(" (no legal position)");
        }
        if self.parts.game.moves().len() >= MAX_MOVES {
            return Err(" (the game is too long)");
        }
        squares::parse(self.parts.game.position(), text).map_err(|_| self.why())
    }

    /// Why no move, or no other, is legal, in XBoard's brackets.
    fn why(&self) -> &'static str {
        let position = self.parts.game.position();
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
        let _ = self.parts.game.play(next);
        self.expected = None;
        self.excluded.clear();
    }

    /// `undo`, `remove`.
    pub(super) fn undo(&mut self, moves: usize, line: &str) {
        if self.parts.game.moves().len() < moves {
            self.say(CommandError::new("no move to take back", line));
            return;
        }
        for _ in 0..moves {
            self.parts.game.undo();
            if self.mode == Mode::Play(self.parts.game.position().turn()) {
                self.clocks.unmoved();
            }
        }
        self.due = false;
        self.expected = None;
        self.excluded.clear();
    }

    /// Begins what there is to do: the move that is owed, or, where nothing else waits, analysis or
    /// pondering.
    pub(super) fn settle(&mut self, idle: bool) {
        if self.active.is_some() || self.refused {
            return;
        }
        match self.mode {
            Mode::Play(_) if self.due => self.think(),
            Mode::Play(color) if idle && self.ponder && color != self.parts.game.position().turn() => {
                self.ponder();
            }
            Mode::Analyze if idle => self.analyze(),
            _ => {}
        }
    }

    fn overhead(&self) -> Duration {
        Duration::from_millis(self.parts.options.overhead as u64)
    }

    /// The moves that are not excluded; empty where that is all of them, or none.
    fn wanted(&self) -> Vec<Move> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let legal = self.parts.game.position().legal_moves();
        legal.into_iter().filter(|next| !self.excluded.contains(next)).collect()
    }

    fn think(&mut self) {
        self.due = false;
        if self.claim() {
            return;
        }
        let game = self.played_on();
        if game.is_some() {
            self.say("offer draw");
        }
        let limits = self.limits(self.drawable(&self.parts.game));
        let game = game.unwrap_or_else(|| self.parts.game.clone());
        self.start(Task::Search { game, limits, infinite: false }, Purpose::Think(Instant::now()));
    }

    /// A draw that the engine may not claim is played on, since XBoard waits for a move: as if the position had come up
    /// just now, without what was before it. `None`: the game is not drawn.
    fn played_on(&self) -> Option<Game> {
        let Some(Outcome::Draw(_)) = self.parts.game.outcome() else { return None };
        let position = self.parts.game.position();
        let mut setup = position.setup();
        setup.halfmove_clock = 0;
        let anew = AnyPosition::from_setup(position.variant(), &setup).unwrap_or_else(|_| position.clone());
        Some(Game::from_position(anew))
    }

    /// The moves to choose from in a game: not those that are excluded, nor castlings after which XBoard
    /// would show another board than the game's; empty where that is all of them, or none.
    fn drawable(&self, game: &Game) -> Vec<Move> {
        let (variant, legal) = (game.variant(), game.position().legal_moves());
        let wanted = |next: &&Move| setup::can_be_shown(variant, **next) && !self.excluded.contains(next);
        let moves: Vec<Move> = legal.iter().filter(wanted).copied().collect();
        if moves.len() == legal.len() { Vec::new() } else { moves }
    }

    fn ponder(&mut self) {
        let Some(expected) = self.expected else { return };
        let mut game = self.parts.game.clone();
        if game.play(expected).is_err() || game.position().legal_moves().is_empty() {
            self.expected = None;
            return;
        }
        let limits = self.limits(self.drawable(&game));
        let hint = squares::write(self.parts.game.variant(), expected);
        if self.post {
            self.say(format_args!("Hint: {hint}"));
        }
        self.start(Task::Search { game, limits, infinite: false }, Purpose::Ponder(expected));
    }

    fn analyze(&mut self) {
        let (legal, searchmoves) = (self.parts.game.position().legal_moves(), self.wanted());
        let all_excluded = searchmoves.is_empty() && legal.iter().any(|next| self.excluded.contains(next));
        if legal.is_empty() || all_excluded {
            return;
        }
        let limits =
            Limits { searchmoves, multipv: self.parts.options.multipv as usize, ..Limits::default() };
        let task = Task::Search { game: self.parts.game.clone(), limits, infinite: true };
        self.start(task, Purpose::Analyze);
    }

    /// What bounds the search for a move of a game.
    fn limits(&self, searchmoves: Vec<Move>) -> Limits {
        let handicap = self.parts.options.handicap();
        Limits { searchmoves, handicap, ..self.clocks.limits(self.overhead()) }
    }

    /// Starts a task.
    pub(super) fn start(&mut self, task: Task, purpose: Purpose) {
        let engine = self.parts.engine.take().unwrap_or_else(|| fresh_engine(&self.parts.options));
        let voice = format::speech(self.post);
        let pondering = match purpose {
            Purpose::Ponder(expected) => {
                voice.expect(Some(squares::write(self.parts.game.variant(), expected)));
                true
            }
            _ => false,
        };
        let heard = Arc::clone(&voice) as Arc<dyn Voice>;
        match Running::start(task, pondering, engine, heard, &self.parts.output, &self.parts.events) {
            Some(running) => self.active = Some(Active { running, voice, purpose, discarded: false }),
            None => {
                self.parts.engine = Some(fresh_engine(&self.parts.options));
                self.say("tellusererror no thread to be had for the search");
            }
        }
    }

    /// What was running is over.
    pub(super) fn finished(&mut self, engine: Option<Engine>, found: Option<Found>) {
        let failed = engine.is_none();
        self.parts.engine = Some(engine.unwrap_or_else(|| fresh_engine(&self.parts.options)));
        let Some(active) = self.active.take().filter(|active| !active.discarded) else { return };
        match (active.purpose, found) {
            (Purpose::Think(since), Some(found)) => self.make_move(&found, since.elapsed()),
            // It would only fail again.
            (Purpose::Analyze, _) if failed => self.mode = Mode::Force,
            (Purpose::Ponder(_), _) => self.expected = None,
            _ => {}
        }
    }

    /// The engine's move, and what follows from it.
    fn make_move(&mut self, found: &Found, thought: Duration) {
        // In a dead position nothing is searched, and every move is as good.
        let Some(best) = found.best.or_else(|| self.parts.game.position().legal_moves().first().copied())
        else {
            return;
        };
        self.clocks.moved(thought);
        self.score = found.score;
        let text = squares::write(self.parts.game.variant(), best);
        self.play(best);
        // A draw that can be claimed after the move is offered before it.
        if self.is_drawn() {
            self.say("offer draw");
        }
        self.say(format_args!("move {text}"));
        self.expected = found.ponder.filter(|&ponder| self.parts.game.position().is_legal(ponder));
        self.claim();
    }

    /// Whether there are moves left but the game is over as a draw, or could be and the engine does
    /// not mind.
    fn is_drawn(&self) -> bool {
        match self.parts.game.outcome() {
            Some(Outcome::Draw(reason)) => reason != DrawReason::Stalemate,
            Some(Outcome::Win { .. }) => false,
            None => self.parts.game.claimable_draw().is_some() && !self.is_better(),
        }
    }

    /// Says so if the game is over, or if the engine has the move and claims a draw; whether it has.
    ///
    /// Between two programs XBoard judges every claim by what it knows itself of the game, and lets the
    /// one lose whose claim it does not understand; only the claim to have lost it always believes. So
    /// there the engine leaves a win to be claimed by the loser, and offers draws instead.
    fn claim(&mut self) -> bool {
        let turn = self.parts.game.position().turn();
        let own = self.mode == Mode::Play(turn);
        let result = match self.parts.game.outcome() {
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
            None if own && self.is_drawn() => match self.parts.game.claimable_draw() {
                Some(reason) => format::draw(reason),
                None => return false,
            },
            None => return false,
        };
        self.say(result);
        self.due = false;
        self.expected = None;
        true
    }

    /// Whether the engine thought well of its game when it last thought.
    fn is_better(&self) -> bool {
        match self.score {
            Some(Score::Centipawns(centipawns)) => centipawns > 0,
            Some(Score::Wins(_)) => true,
            Some(Score::Loses(_)) | None => false,
        }
    }

    /// `draw`: accepted by answering in kind, refused by silence.
    pub(super) fn answer_draw(&mut self) {
        let long = self.parts.game.moves().len() >= LONG_GAME;
        let accepted = match self.score {
            _ if self.is_drawn() => true,
            Some(Score::Centipawns(centipawns)) => centipawns <= if long { 0 } else { DRAWISH },
            Some(Score::Loses(_)) => true,
            Some(Score::Wins(_)) | None => false,
        };
        if accepted {
            self.say("offer draw");
        }
    }

    /// `hint`: what the engine expects, or what it thinks best just now.
    pub(super) fn hint(&mut self) {
        let thought = self.active.as_ref().filter(|active| active.purpose == Purpose::Analyze);
        let hint = match (self.expected, thought) {
            (Some(expected), _) => Some(squares::write(self.parts.game.variant(), expected)),
            (None, Some(active)) => active.voice.latest().best,
            (None, None) => None,
        };
        if let Some(hint) = hint {
            self.say(format_args!("Hint: {hint}"));
        }
    }

    /// `.`
    pub(super) fn status(&mut self) {
        if let Some(active) = &self.active {
            let moves = self.parts.game.position().legal_moves().len();
            self.say(format::status(&active.voice.latest(), active.running.started.elapsed(), moves));
        }
    }

    /// `exclude`.
    pub(super) fn exclude(&mut self, text: Option<&str>, line: &str) {
        let position = self.parts.game.position();
        match text.map(|text| squares::parse(position, text)) {
            None => self.excluded = position.legal_moves(),
            Some(Ok(excluded)) if !self.excluded.contains(&excluded) => self.excluded.push(excluded),
            Some(Ok(_)) => {}
            Some(Err(_)) => self.say(CommandError::new("no legal move", line)),
        }
    }

    /// `include`.
    pub(super) fn include(&mut self, text: Option<&str>, line: &str) {
        match text.map(|text| squares::parse(self.parts.game.position(), text)) {
            None => self.excluded.clear(),
            Some(Ok(included)) => self.excluded.retain(|&excluded| excluded != included),
            Some(Err(_)) => self.say(CommandError::new("no legal move", line)),
        }
    }
}

/// The FEN without castling rights and en passant target, of which XBoard has ideas of its own in games
/// that it does not know.
fn without_rights(fen: &str) -> Option<String> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    for number in [2, 3] {
        *fields.get_mut(number)? = "-";
    }
    fields.truncate(6);
    Some(fields.join(" "))
}
