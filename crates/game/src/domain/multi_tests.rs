//! Games of four, action by action: players go out, resign on their own turn, agree together, and a machine that is rebuilt from
//! its events, or rolled back, is the same.

use super::action_error::ActionError;
use super::event::GameEvent;
use super::machine::GameMachine;
use super::tests::config;
use super::view::PresenceInfo;
use lozenge_rules::library;
use lozenge_rules::position::{AnyMultiPosition, MultiGame};
use lozenge_wire::Color::{Blue as BLUE, Green as GREEN, Red as RED, Yellow as YELLOW};
use lozenge_wire::{Action, Clock, Color, Exit, GameResult, GameState, Player, PlayerKind, Reason, Status};
use proptest::prelude::*;

const BLITZ: Option<Clock> = Some(Clock::Live { initial_s: 300, increment_s: 3 });

fn player(kind: PlayerKind, id: &str) -> Player {
    Player { kind, id: id.into(), name: id.into(), rating: None, provisional: false, level: Some(1) }
}

/// A game of people and engines, by the order of the turns.
fn machine(variant: &str, clock: Option<Clock>, engines: [bool; 4]) -> GameMachine {
    let game = library::multi_game(variant).expect("built in");
    seated(GameMachine::new(config(clock), AnyMultiPosition::start(&game)), engines)
}

/// The game with all players.
fn seated(mut machine: GameMachine, engines: [bool; 4]) -> GameMachine {
    for (color, (name, engine)) in
        Color::FOUR.into_iter().zip(["ann", "bob", "cat", "dan"].into_iter().zip(engines))
    {
        assert_eq!(machine.status(), Status::Waiting);
        let player =
            if engine { player(PlayerKind::Engine, "engine") } else { player(PlayerKind::Guest, name) };
        machine.apply(&GameEvent::Joined { color, player, at: 0 }).expect("a free seat");
    }
    machine
}

fn people(variant: &str) -> GameMachine {
    machine(variant, None, [false; 4])
}

/// Does something and lets it happen.
fn act(machine: &mut GameMachine, color: Color, action: Action) -> Result<Vec<GameEvent>, ActionError> {
    let events = machine.act(color, &action, 1_000, 0)?;
    for event in &events {
        machine.apply(event).expect("an event of its own");
    }
    Ok(events)
}

fn play(machine: &mut GameMachine, text: &str) {
    let (turn, ply) = (machine.turn(), machine.played.len() as u32);
    act(machine, turn, Action::Move { played: text.into(), ply }).expect("a legal move");
}

fn any_move(machine: &GameMachine, pick: usize) -> String {
    let moves = machine.legal_texts();
    moves[pick % moves.len()].to_string()
}

fn round(machine: &mut GameMachine) {
    for _ in 0..4 {
        let text = any_move(machine, 0);
        play(machine, &text);
    }
}

fn state(machine: &GameMachine) -> GameState {
    machine.state(5_000, PresenceInfo::default())
}

/// Green's castlings have numbers beyond those of Red and Blue.
#[test]
fn castlings_of_every_seat_are_offered() {
    let game = library::multi_game("fourplayerchess").expect("built in");
    let home =
        "***yR2yK3yR***/***8***/***8***/bR12gR/14/14/13gK/bK13/14/14/bR12gR/***8***/***8***/***rR3rK2rR***";
    for (mover, castlings) in
        [('r', "h1f1 h1j1"), ('b', "a7a5 a7a9"), ('y', "g14e14 g14i14"), ('g', "n8n10 n8n6")]
    {
        let fen = format!("{home} {mover} rKrQbKbQyKyQgKgQ - 0 1 rbyg");
        let start = AnyMultiPosition::from_fen(&game, &fen).expect("a position");
        let analyzed =
            lozenge_analysis::position::position(&MultiGame::from_position(start.clone()).into(), 0);
        let state = state(&seated(GameMachine::new(config(None), start), [false; 4]));
        let mut texts: Vec<&str> = state.castlings.iter().map(|castling| &*castling.played).collect();
        texts.sort_unstable();
        assert_eq!(texts.join(" "), castlings);
        assert!(texts.iter().all(|text| state.moves.iter().any(|legal| legal.as_str() == *text)), "{mover}");
        assert_eq!(analyzed.castlings, state.castlings, "{mover}");
    }
}

#[test]
fn moves_go_around_the_table() {
    let mut machine = people("diamondring-four");
    let blue = Action::Move { played: "a3b3".into(), ply: 0 };
    assert_eq!(machine.act(BLUE, &blue, 0, 0), Err(ActionError::NotYourTurn));
    for color in Color::FOUR {
        assert_eq!(machine.turn(), color);
        let text = any_move(&machine, 3);
        play(&mut machine, &text);
    }
    assert_eq!((machine.turn(), machine.has_begun()), (RED, true));
    let seats = state(&machine).seats.expect("a game of four").list;
    assert!(seats.iter().all(|seat| seat.living && seat.exit.is_none() && seat.place.is_none()));
}

#[test]
fn mated_player_goes_out_and_the_others_go_on() {
    // A Knight mates the smothered King of Blue.
    let mut machine = people("diamondring-four");
    play(&mut machine, "e2c3");
    while machine.turn() != RED {
        let text = machine
            .legal_texts()
            .iter()
            .find(|text| text.starts_with(['c', 'k', 'd']) || text.len() > 4)
            .copied();
        let text = text.map_or_else(|| any_move(&machine, 1), |text| text.to_string());
        play(&mut machine, &text);
    }
    play(&mut machine, "c3b5");
    assert_eq!(machine.turn(), YELLOW, "{}", machine.record.fen());
    let seats = state(&machine).seats.expect("four").list;
    assert_eq!((seats[1].living, seats[1].exit), (false, Some(Exit::Checkmate)));
    let pgn = machine.pgn("x").expect("a text");
    assert!(pgn.replace('\n', " ").contains("{Blue is checkmated}"), "{pgn}");
}

#[test]
fn pgn_says_that_the_time_decided() {
    let mut machine = machine("diamondring-four", BLITZ, [false; 4]);
    round(&mut machine);
    for expected in ["unterminated", "unterminated", "time forfeit"] {
        for event in machine.time_out_multi(1_000) {
            machine.apply(&event).expect("an event of its own");
        }
        let pgn = machine.pgn("x").expect("a text");
        assert!(pgn.contains(&format!("[Termination \"{expected}\"]")), "{pgn}");
    }
}

#[test]
fn resignation_waits_for_the_own_turn() {
    let mut machine = people("diamondring-four");
    round(&mut machine);
    let events = act(&mut machine, YELLOW, Action::Resign).expect("an intention");
    assert_eq!(events, [GameEvent::ResignationWanted { by: YELLOW, wanted: true }]);
    assert!(state(&machine).seats.expect("four").list[2].resigns);
    // It is taken back, and made again.
    act(&mut machine, YELLOW, Action::Resign).expect("taken back");
    act(&mut machine, YELLOW, Action::Resign).expect("an intention");
    let red = any_move(&machine, 0);
    play(&mut machine, &red);
    let blue = any_move(&machine, 0);
    play(&mut machine, &blue);
    assert_eq!((machine.turn(), machine.uci(6).as_deref()), (GREEN, Some("R")));
    let seats = state(&machine).seats.expect("four").list;
    assert_eq!((seats[2].living, seats[2].exit, seats[2].resigns), (false, Some(Exit::Resign), false));
    assert_eq!(act(&mut machine, YELLOW, Action::Resign), Err(ActionError::Out));
    for color in [GREEN, RED] {
        assert_eq!(machine.turn(), color);
        act(&mut machine, color, Action::Resign).expect("the own turn");
    }
    assert_eq!(machine.ended, Some((GameResult::Places([2, 1, 4, 3]), Reason::Decided)));
    let pgn = machine.pgn("https://example.org/game/table").expect("a text");
    assert!(pgn.contains("[Yellow \"cat\"]") && pgn.contains("[Result \"2-1-4-3\"]"), "{pgn}");
    assert!(pgn.contains("[Termination \"normal\"]"), "{pgn}");
    assert!(pgn.trim_end().ends_with("R R R 2-1-4-3") || pgn.contains(" R 3. R 2-1-4-3"), "{pgn}");
}

#[test]
fn team_resigns_with_the_partners_consent() {
    let mut machine = people("diamondring-teams");
    round(&mut machine);
    act(&mut machine, RED, Action::Resign).expect("an intention");
    assert_eq!(machine.status(), Status::Started);
    act(&mut machine, YELLOW, Action::Resign).expect("the partner agrees");
    assert_eq!(machine.ended, Some((GameResult::BlackWins, Reason::Decided)));

    let mut machine = self::machine("diamondring-teams", None, [false, true, true, true]);
    round(&mut machine);
    act(&mut machine, RED, Action::Resign).expect("the engine agrees");
    assert_eq!(machine.ended, Some((GameResult::BlackWins, Reason::Decided)));
}

#[test]
fn draw_needs_all_the_living() {
    let mut machine = people("diamondring-four");
    assert_eq!(act(&mut machine, RED, Action::Draw), Err(ActionError::TooEarly));
    round(&mut machine);
    act(&mut machine, RED, Action::Resign).expect("the own turn");
    for color in [BLUE, YELLOW] {
        act(&mut machine, color, Action::Draw).expect("agrees");
        assert_eq!(act(&mut machine, color, Action::Draw), Err(ActionError::AlreadyOffered));
    }
    act(&mut machine, YELLOW, Action::DeclineDraw).expect("withdraws the agreement");
    for color in [GREEN, BLUE] {
        act(&mut machine, color, Action::Draw).expect("agrees");
    }
    assert_eq!(machine.status(), Status::Started);
    act(&mut machine, YELLOW, Action::Draw).expect("agrees");
    assert_eq!(machine.ended, Some((GameResult::Places([4, 1, 1, 1]), Reason::Agreement)));
    assert_eq!(act(&mut machine, RED, Action::GiveTime), Err(ActionError::Over));
}

#[test]
fn player_out_of_time_goes_out() {
    let mut machine = machine("diamondring-four", BLITZ, [false; 4]);
    round(&mut machine);
    assert_eq!(machine.flag(300_000), Vec::new());
    for event in machine.flag(400_000) {
        machine.apply(&event).expect("fits");
    }
    assert_eq!((machine.turn(), machine.status()), (BLUE, Status::Started));
    let seats = state(&machine).seats.expect("four");
    assert_eq!((seats.list[0].exit, seats.running), (Some(Exit::Time), Some(BLUE)));
    assert_eq!(seats.list[0].left_ms, Some(0));
}

#[test]
fn takeback_goes_back_to_the_own_turn_among_engines_alone() {
    let mut machine = machine("diamondring-four", None, [true, true, false, true]);
    round(&mut machine);
    let fen = machine.record.position_at(2).expect("two half moves").fen();
    act(&mut machine, YELLOW, Action::Takeback).expect("the others are engines");
    assert_eq!((machine.turn(), machine.record.fen()), (YELLOW, fen));
    let mut machine = people("diamondring-four");
    round(&mut machine);
    assert_eq!(act(&mut machine, RED, Action::Takeback), Err(ActionError::AgainstPeople));
}

#[test]
fn rematch_needs_everyone() {
    let mut machine = people("diamondring-four");
    round(&mut machine);
    for color in [RED, BLUE, YELLOW] {
        act(&mut machine, color, Action::Resign).expect("the own turn");
    }
    for color in [BLUE, GREEN, RED] {
        assert!(!machine.wants_rematch(color));
        act(&mut machine, color, Action::Rematch).expect("offered");
    }
    assert!(machine.wants_rematch(YELLOW));
}

fn actions() -> impl Strategy<Value = Vec<(u8, u8, usize)>> {
    prop::collection::vec((0u8..4, 0u8..24, 0usize..200), 1..90)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rebuilt_and_rolled_back_machines_are_the_same(teams: bool, actions in actions()) {
        let variant = if teams { "diamondring-teams" } else { "diamondring-four" };
        let mut machine = self::machine(variant, BLITZ, [false; 4]);
        let mut all = Vec::new();
        for (number, (seat, kind, pick)) in actions.into_iter().enumerate() {
            let color = Color::FOUR[usize::from(seat)];
            let action = match kind {
                0 => Action::Resign,
                1 => Action::Draw,
                2 => Action::DeclineDraw,
                3 => Action::Rematch,
                _ if machine.status() == Status::Finished => break,
                _ => Action::Move { played: any_move(&machine, pick), ply: machine.played.len() as u32 },
            };
            let color = if matches!(action, Action::Move { .. }) { machine.turn() } else { color };
            let before = (state(&machine), machine.seq);
            let Ok(events) = machine.act(color, &action, number as i64 * 1_000, 0) else { continue };
            prop_assert_eq!(&(state(&machine), machine.seq), &before, "an action changes nothing by itself");
            let snapshot = machine.snapshot(&events);
            for event in &events {
                machine.apply(event).expect("fits");
            }
            let after = state(&machine);
            machine.rollback(snapshot);
            prop_assert_eq!(&(state(&machine), machine.seq), &before);
            for event in &events {
                machine.apply(event).expect("fits");
            }
            prop_assert_eq!(&state(&machine), &after);
            all.extend(events);
        }
        let mut again = self::machine(variant, BLITZ, [false; 4]);
        for event in &all {
            let text = serde_json::to_string(event).expect("JSON");
            again.apply(&serde_json::from_str(&text).expect("an event")).expect("fits");
        }
        prop_assert_eq!(state(&again), state(&machine));
        prop_assert_eq!(again.pgn("x"), machine.pgn("x"));
    }
}

/// Castlings are numbered across the players: Green's are beyond those of Red's game with Blue.
#[test]
fn castling_of_the_last_player_is_listed_and_played() {
    let game = library::multi_game("fourplayerchess").expect("built in");
    let gone = ["gPgB", "gPgN", "gPgQ"];
    let fen = gone.iter().fold(game.start().replace(" r ", " g "), |fen, gone| fen.replace(gone, "gP1"));
    let start = AnyMultiPosition::from_fen(&game, &fen).expect("a position");
    let mut machine = GameMachine::new(config(None), start);
    for (color, name) in Color::FOUR.into_iter().zip(["ann", "bob", "cat", "dan"]) {
        let player = player(PlayerKind::Guest, name);
        machine.apply(&GameEvent::Joined { color, player, at: 0 }).expect("a free seat");
    }
    let castlings = [("n8n6", "O-O"), ("n8n10", "O-O-O")];
    let listed = machine.legal_texts();
    let found: Vec<_> =
        castlings.iter().filter(|(uci, _)| listed.iter().any(|text| text.as_str() == *uci)).collect();
    assert_eq!(found.len(), 2, "{listed:?}");
    play(&mut machine, "n8n6");
    assert_eq!(machine.uci(0).as_deref(), Some("n8n6"));
}
