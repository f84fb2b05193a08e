//! Games played action by action: the allowed actions, their effects, and that a machine rebuilt from its events is the same.

use super::action_error::ActionError;
use super::event::GameEvent;
use super::machine::{GameConfig, GameMachine};
use super::view::PresenceInfo;
use super::{clock, speed};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_wire::{Action, Clock, Color, GameResult, Player, PlayerKind, Reason, Status, Visibility};
use proptest::prelude::*;

const FIVE: [&str; 5] = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"];
const BLITZ: Option<Clock> = Some(Clock::Live { initial_s: 300, increment_s: 3 });

fn person(id: &str) -> Player {
    Player {
        kind: PlayerKind::Guest,
        id: id.into(),
        name: id.into(),
        rating: None,
        provisional: false,
        level: None,
    }
}

/// The settings of a casual game.
pub(super) fn config(clock: Option<Clock>) -> GameConfig {
    GameConfig {
        id: "table".into(),
        digest: String::new(),
        clock,
        speed: speed(clock),
        rated: false,
        visibility: Visibility::Public,
        maker: "ann".into(),
        previous: None,
        fill: None,
        open_seats: Vec::new(),
        created_at: 0,
    }
}

fn empty(variant: &str, clock: Option<Clock>) -> GameMachine {
    let game = library::game(variant).expect("built in");
    let config = config(clock);
    GameMachine::new(config, AnyPosition::start(&game))
}

/// Ann plays White, Bob Black.
fn machine(variant: &str, clock: Option<Clock>) -> GameMachine {
    let mut machine = empty(variant, clock);
    for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
        machine.apply(&GameEvent::Joined { color, player: person(name), at: 0 }).expect("an open place");
    }
    machine
}

/// Does something and lets it happen.
fn act(
    machine: &mut GameMachine,
    color: Color,
    action: Action,
    now: i64,
) -> Result<Vec<GameEvent>, ActionError> {
    let events = machine.act(color, &action, now, 0)?;
    for event in &events {
        machine.apply(event)?;
    }
    Ok(events)
}

fn any_move(machine: &GameMachine, pick: usize) -> Action {
    let moves = machine.legal_texts();
    Action::Move { played: moves[pick % moves.len()].to_string(), ply: machine.played.len() as u32 }
}

#[test]
fn moves_need_both_players_and_the_turn() {
    let mut waiting = empty("diamond", None);
    waiting.apply(&GameEvent::Joined { color: Color::White, player: person("ann"), at: 0 }).expect("open");
    let first = any_move(&waiting, 0);
    assert_eq!(act(&mut waiting, Color::White, first, 1), Err(ActionError::NotStarted));
    let mut machine = machine("diamond", None);
    let first = any_move(&machine, 0);
    assert_eq!(act(&mut machine, Color::Black, first, 1), Err(ActionError::NotYourTurn));
}

#[test]
fn a_move_sent_twice_is_played_once() {
    let mut machine = machine("diagonal", BLITZ);
    let first = any_move(&machine, 0);
    assert_eq!(act(&mut machine, Color::White, first.clone(), 1).expect("legal").len(), 1);
    assert_eq!(act(&mut machine, Color::White, first, 2), Ok(Vec::new()));
    assert_eq!(machine.played.len(), 1);
    let other = Action::Move { played: "h1h1".into(), ply: 0 };
    assert_eq!(act(&mut machine, Color::White, other, 3), Err(ActionError::Ply { expected: 1, found: 0 }));
}

#[test]
fn illegal_moves_are_explained_and_change_nothing() {
    let mut machine = machine("diamondring", None);
    let before = machine.record.fen();
    for text in ["", "e2e5", "zz", "a1a1", "🙂", "e2e4e4e4e4e4"] {
        let action = Action::Move { played: text.into(), ply: 0 };
        assert!(
            matches!(act(&mut machine, Color::White, action, 1), Err(ActionError::Move(why)) if !why.is_empty())
        );
    }
    assert_eq!(machine.record.fen(), before);
}

#[test]
fn draws_takebacks_and_rematches_need_both_players() {
    let mut machine = machine("doublediamond", BLITZ);
    assert_eq!(act(&mut machine, Color::White, Action::Draw, 1), Err(ActionError::TooEarly));
    for now in 1..=4 {
        let (turn, next) = (machine.turn(), any_move(&machine, 3));
        act(&mut machine, turn, next, now).expect("legal");
    }
    assert_eq!(act(&mut machine, Color::White, Action::DeclineDraw, 5), Err(ActionError::NothingOffered));
    act(&mut machine, Color::White, Action::Takeback, 5).expect("asked");
    act(&mut machine, Color::Black, Action::Takeback, 6).expect("agreed");
    assert_eq!((machine.played.len(), machine.turn()), (2, Color::White));
    act(&mut machine, Color::White, Action::Draw, 7).expect("offered");
    assert_eq!(act(&mut machine, Color::White, Action::Draw, 8), Err(ActionError::AlreadyOffered));
    act(&mut machine, Color::Black, Action::Draw, 9).expect("agreed");
    assert_eq!(machine.ended, Some((GameResult::Draw, Reason::Agreement)));
    assert_eq!(act(&mut machine, Color::White, Action::Resign, 10), Err(ActionError::Over));
    act(&mut machine, Color::White, Action::Rematch, 11).expect("offered");
    assert!(machine.wants_rematch(Color::Black) && !machine.wants_rematch(Color::White));
}

#[test]
fn move_declines_a_draw_offer() {
    let mut machine = machine("diamond", None);
    for now in 1..=2 {
        let (turn, next) = (machine.turn(), any_move(&machine, 0));
        act(&mut machine, turn, next, now).expect("legal");
    }
    act(&mut machine, Color::White, Action::Draw, 3).expect("offered");
    let own = any_move(&machine, 0);
    act(&mut machine, Color::White, own, 4).expect("legal");
    assert_eq!(machine.offers.draw, Some(Color::White), "stays until the other has moved");
    let others = any_move(&machine, 0);
    act(&mut machine, Color::Black, others, 5).expect("legal");
    assert_eq!(machine.offers.draw, None);
}

#[test]
fn late_move_loses_on_time() {
    let mut machine = machine("diagonal", BLITZ);
    for now in [1_000, 2_000] {
        let (turn, next) = (machine.turn(), any_move(&machine, 0));
        act(&mut machine, turn, next, now).expect("legal");
    }
    assert_eq!(machine.flag(301_999), Vec::new());
    let mut late = machine.clone();
    let next = any_move(&late, 0);
    act(&mut late, Color::White, next, 302_000).expect("the end is a fact");
    assert_eq!(late.ended, Some((GameResult::BlackWins, Reason::Time)));
    for event in machine.flag(302_000) {
        machine.apply(&event).expect("fits");
    }
    assert_eq!(
        (machine.status(), machine.ended),
        (Status::Finished, Some((GameResult::BlackWins, Reason::Time)))
    );
}

#[test]
fn bare_king_wins_on_time_only_if_it_can_reach_a_goal() {
    for (variant, fen, reason) in [
        ("diagonal", "7k/8/8/8/8/8/8/KQ6 w - - 0 1", Reason::TimeDraw),
        ("diamondback", "8/8/2k5/8/8/8/8/KQ6 w - - 0 1", Reason::Time),
    ] {
        let game = library::game(variant).expect("built in");
        let start = AnyPosition::from_fen(&game, fen).expect("a position");
        let mut machine = GameMachine::new(empty(variant, BLITZ).config, start);
        for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
            machine.apply(&GameEvent::Joined { color, player: person(name), at: 0 }).expect("an open place");
        }
        let events = machine.out_of_time(1);
        assert!(
            matches!(events[..], [GameEvent::Finished { reason: found, .. }] if found == reason),
            "{variant}: {events:?}"
        );
    }
}

#[test]
fn goal_is_recorded_in_game_and_pgn() {
    let game = library::game("diagonal").expect("built in");
    let start = AnyPosition::from_fen(&game, "8/6P1/8/8/3k4/8/8/K7 w - - 0 1").expect("a position");
    let mut machine = GameMachine::new(empty("diagonal", None).config, start);
    for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
        machine.apply(&GameEvent::Joined { color, player: person(name), at: 0 }).expect("an open place");
    }
    act(&mut machine, Color::White, Action::Move { played: "g7h8".into(), ply: 0 }, 5).expect("legal");
    assert_eq!(machine.ended, Some((GameResult::WhiteWins, Reason::Goal)));
    let pgn = machine.pgn("http://localhost/game/table").expect("writable");
    for part in ["[Variant \"Diagonal Chess\"]", "[White \"ann\"]", "[Result \"1-0\"]", "[FEN \"", "1-0\n"] {
        assert!(pgn.contains(part), "{part} in\n{pgn}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever is done, a machine rebuilt from its events is the same, and what is refused changes nothing.
    #[test]
    fn replayed_events_give_the_same_machine(
        which in 0..FIVE.len(),
        clocked in any::<bool>(),
        steps in prop::collection::vec((0..10u8, any::<bool>(), any::<usize>(), 1..20_000i64), 1..60),
    ) {
        let clock = clocked.then_some(Clock::Live { initial_s: 300, increment_s: 2 });
        let mut played = machine(FIVE[which], clock);
        let mut replayed = machine(FIVE[which], clock);
        let mut now = 0;
        for (what, white, pick, wait) in steps {
            now += wait;
            let color = if white { Color::White } else { Color::Black };
            let (color, action) = match what {
                0 => (color, Action::Draw),
                1 => (color, Action::Takeback),
                2 => (color, Action::DeclineTakeback),
                3 => (color, Action::GiveTime),
                4 if pick % 9 == 0 => (color, Action::Resign),
                _ if played.status() == Status::Started => (played.turn(), any_move(&played, pick)),
                _ => (color, Action::Rematch),
            };
            let before = played.state(now, PresenceInfo::default());
            match played.act(color, &action, now, 0) {
                Ok(events) => {
                    // A rollback, as after a failed write, restores the state.
                    let snapshot = played.snapshot(&events);
                    for event in &events {
                        played.apply(event).expect("what is allowed fits");
                    }
                    played.rollback(snapshot);
                    prop_assert_eq!(&before, &played.state(now, PresenceInfo::default()));
                    prop_assert_eq!(played.played.len(), replayed.played.len());
                    for event in events {
                        let text = serde_json::to_string(&event).expect("plain data");
                        played.apply(&event).expect("what is allowed fits");
                        replayed.apply(&serde_json::from_str(&text).expect("as written")).expect("the same");
                    }
                }
                Err(_) => prop_assert_eq!(before, played.state(now, PresenceInfo::default())),
            }
            prop_assert_eq!(played.state(now, PresenceInfo::default()), replayed.state(now, PresenceInfo::default()));
        }
    }

    /// A client that reconnects, whenever it left, has the whole game after the update it receives.
    #[test]
    fn update_after_a_reconnect_completes_the_game(
        which in 0..FIVE.len(),
        steps in prop::collection::vec((0..6u8, any::<usize>()), 1..60),
        left in any::<prop::sample::Index>(),
    ) {
        let mut machine = machine(FIVE[which], BLITZ);
        let presence = PresenceInfo::default();
        let mut known = vec![machine.to_wire(None, 0, presence)];
        for (what, pick) in steps {
            let turn = machine.turn();
            let actions = match what {
                0 => [Some((turn, Action::Takeback)), Some((turn.opponent(), Action::Takeback))],
                1 => [Some((turn, Action::Draw)), None],
                _ => [Some((turn, any_move(&machine, pick))), None],
            };
            for (color, action) in actions.into_iter().flatten() {
                // Actions that are not allowed now are skipped.
                let _ = act(&mut machine, color, action, 1);
                known.push(machine.to_wire(None, 0, presence));
            }
            if machine.status() == Status::Finished {
                break;
            }
        }
        let (then, now) = (&known[left.index(known.len())], machine.to_wire(None, 0, presence));
        let since = machine.since(then.state.seq, None, 0, presence).expect("a known event");
        let mut history = then.history[..since.kept as usize].to_vec();
        history.extend(since.history);
        prop_assert_eq!((history, since.state), (now.history, now.state));
        prop_assert_eq!((since.white, since.black, since.next), (now.white, now.black, now.next));
        prop_assert_eq!(machine.since(machine.seq + 1, None, 0, presence), None);
    }

    /// Clock time is conserved: the time left plus the time used equals the initial time plus the increments.
    #[test]
    fn clocks_add_up(moves in prop::collection::vec((0..30_000i64, 0..800i64), 1..80)) {
        let mut state = clock::ClockState::new(Clock::Live { initial_s: 600, increment_s: 5 }, 2);
        let (mut now, mut turn, mut used, mut added) = (0i64, Color::White, 0i64, 0i64);
        state.start(turn, 0, now);
        for (ply, (wait, lag)) in moves.into_iter().enumerate() {
            now += wait;
            let Some(left) = state.after_move(turn, now, lag) else { break };
            if ply >= 2 {
                used += (wait - lag.min(state.lag_quota(turn))).max(0);
                added += 5_000;
            }
            state.moved(turn, now, left);
            turn = turn.opponent();
            state.start(turn, ply + 1, now);
            let total = state.left(Color::White, now) + state.left(Color::Black, now);
            prop_assert_eq!(total, 1_200_000 - used + added);
        }
    }
}

#[test]
fn declined_offer_is_repeated_only_in_another_position() {
    let mut machine = machine("diamond", None);
    for _ in 0..2 {
        let (mover, next) = (machine.turn(), any_move(&machine, 0));
        act(&mut machine, mover, next, 1).expect("legal");
    }
    for (offer, decline) in [(Action::Draw, Action::DeclineDraw), (Action::Takeback, Action::DeclineTakeback)]
    {
        act(&mut machine, Color::White, offer.clone(), 2).expect("the first time");
        act(&mut machine, Color::Black, decline, 3).expect("it was offered");
        assert_eq!(act(&mut machine, Color::White, offer.clone(), 4), Err(ActionError::Declined));
        let (mover, next) = (machine.turn(), any_move(&machine, 0));
        act(&mut machine, mover, next, 5).expect("legal");
        act(&mut machine, Color::White, offer, 6).expect("the position is another");
    }
}

#[test]
fn rematch_needs_an_opponent_who_is_present() {
    let mut waiting = empty("diamond", None);
    waiting.apply(&GameEvent::Joined { color: Color::White, player: person("ann"), at: 0 }).expect("open");
    act(&mut waiting, Color::White, Action::Abort, 1).expect("no move was played");
    assert_eq!(act(&mut waiting, Color::White, Action::Rematch, 2), Err(ActionError::Gone));
}

#[test]
fn gifts_of_time_are_limited_in_rate_and_number() {
    let mut machine = machine("diagonal", BLITZ);
    let given = Ok(vec![GameEvent::TimeGiven { to: Color::Black, ms: 15_000, at: Some(1_000) }]);
    assert_eq!(act(&mut machine, Color::White, Action::GiveTime, 1_000), given);
    // However many sockets it comes by.
    for now in [1_000, 1_500, 1_999] {
        assert_eq!(act(&mut machine, Color::White, Action::GiveTime, now), Err(ActionError::GiftTooSoon));
    }
    assert!(act(&mut machine, Color::Black, Action::GiveTime, 1_500).is_ok(), "the other gives, too");
    for gift in 2..=20 {
        assert!(act(&mut machine, Color::White, Action::GiveTime, gift * 1_000).is_ok(), "gift {gift}");
    }
    assert_eq!(act(&mut machine, Color::White, Action::GiveTime, 100_000), Err(ActionError::TooManyGifts));
    let left = machine.clock.expect("a clock").left(Color::Black, 100_000);
    assert_eq!(left, 300_000 + 20 * 15_000);
}

#[test]
fn second_acceptance_of_a_takeback_requests_none() {
    let mut machine = machine("diagonal", None);
    for now in 1..=4 {
        let (turn, next) = (machine.turn(), any_move(&machine, 3));
        act(&mut machine, turn, next, now).expect("legal");
    }
    act(&mut machine, Color::White, Action::Takeback, 10).expect("asked");
    act(&mut machine, Color::Black, Action::Takeback, 20).expect("accepted");
    assert_eq!(act(&mut machine, Color::Black, Action::Takeback, 220), Ok(Vec::new()));
    assert_eq!((machine.played.len(), machine.offers.takeback), (2, None));
    // A while later it is a request of one's own.
    act(&mut machine, Color::Black, Action::Takeback, 5_000).expect("asked");
    assert_eq!(machine.offers.takeback, Some(Color::Black));
}

#[test]
fn overlong_move_text_is_rejected() {
    let mut machine = machine("diagonal", None);
    for length in [41, 60_000] {
        let long = Action::Move { played: "a".repeat(length), ply: 0 };
        let why = "expected a move of at most 40 characters".to_owned();
        assert_eq!(act(&mut machine, Color::White, long, 1), Err(ActionError::Move(why)));
    }
}
