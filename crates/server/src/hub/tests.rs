//! Tables played by hand: what may be done, what follows, and that a table built anew from its facts is the same.

use super::fact::Fact;
use super::refusal::Refusal;
use super::table::{Table, Terms};
use super::view::Attendance;
use super::{clock, speed};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::library;
use lozenge_wire::{Action, Clock, Color, Player, PlayerKind, Reason, Status, Visibility};
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

fn empty(variant: &str, clock: Option<Clock>) -> Table {
    let game = library::game(variant).expect("built in");
    let terms = Terms {
        id: "table".into(),
        digest: String::new(),
        clock,
        speed: speed(clock),
        rated: false,
        visibility: Visibility::Public,
        maker: "ann".into(),
        previous: None,
        created_at: 0,
    };
    Table::new(terms, AnyPosition::start(&game))
}

/// Ann plays White, Bob Black.
fn table(variant: &str, clock: Option<Clock>) -> Table {
    let mut table = empty(variant, clock);
    for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
        table.apply(&Fact::Joined { color, player: person(name), at: 0 }).expect("an open place");
    }
    table
}

/// Does something and lets it happen.
fn act(table: &mut Table, color: Color, action: Action, now: i64) -> Result<Vec<Fact>, Refusal> {
    let facts = table.act(color, &action, now, 0)?;
    for fact in &facts {
        table.apply(fact)?;
    }
    Ok(facts)
}

fn any_move(table: &Table, pick: usize) -> Action {
    let moves = crate::shown::moves(table.position(), table.legal());
    Action::Move { played: moves[pick % moves.len()].clone(), ply: table.played.len() as u32 }
}

#[test]
fn nobody_moves_before_both_are_there_or_out_of_turn() {
    let mut waiting = empty("diamond", None);
    waiting.apply(&Fact::Joined { color: Color::White, player: person("ann"), at: 0 }).expect("open");
    let first = any_move(&waiting, 0);
    assert_eq!(act(&mut waiting, Color::White, first, 1), Err(Refusal::NotStarted));
    let mut table = table("diamond", None);
    let first = any_move(&table, 0);
    assert_eq!(act(&mut table, Color::Black, first, 1), Err(Refusal::NotYourTurn));
}

#[test]
fn a_move_sent_twice_is_played_once() {
    let mut table = table("diagonal", BLITZ);
    let first = any_move(&table, 0);
    assert_eq!(act(&mut table, Color::White, first.clone(), 1).expect("legal").len(), 1);
    assert_eq!(act(&mut table, Color::White, first, 2), Ok(Vec::new()));
    assert_eq!(table.played.len(), 1);
    let other = Action::Move { played: "h1h1".into(), ply: 0 };
    assert_eq!(act(&mut table, Color::White, other, 3), Err(Refusal::Ply { expected: 1, found: 0 }));
}

#[test]
fn illegal_moves_change_nothing_and_are_explained() {
    let mut table = table("diamondring", None);
    let before = table.position().fen();
    for text in ["", "e2e5", "zz", "a1a1", "🙂", "e2e4e4e4e4e4"] {
        let action = Action::Move { played: text.into(), ply: 0 };
        assert!(
            matches!(act(&mut table, Color::White, action, 1), Err(Refusal::Move(why)) if !why.is_empty())
        );
    }
    assert_eq!(table.position().fen(), before);
}

#[test]
fn draws_takebacks_and_rematches_need_both() {
    let mut table = table("doublediamond", BLITZ);
    assert_eq!(act(&mut table, Color::White, Action::Draw, 1), Err(Refusal::TooEarly));
    for now in 1..=4 {
        let (turn, next) = (table.turn(), any_move(&table, 3));
        act(&mut table, turn, next, now).expect("legal");
    }
    assert_eq!(act(&mut table, Color::White, Action::DeclineDraw, 5), Err(Refusal::NothingOffered));
    act(&mut table, Color::White, Action::Takeback, 5).expect("asked");
    act(&mut table, Color::Black, Action::Takeback, 6).expect("agreed");
    assert_eq!((table.played.len(), table.turn()), (2, Color::White));
    act(&mut table, Color::White, Action::Draw, 7).expect("offered");
    assert_eq!(act(&mut table, Color::White, Action::Draw, 8), Err(Refusal::AlreadyOffered));
    act(&mut table, Color::Black, Action::Draw, 9).expect("agreed");
    assert_eq!(table.ended, Some(("1/2-1/2".into(), Reason::Agreement)));
    assert_eq!(act(&mut table, Color::White, Action::Resign, 10), Err(Refusal::Over));
    act(&mut table, Color::White, Action::Rematch, 11).expect("offered");
    assert!(table.wants_rematch(Color::Black) && !table.wants_rematch(Color::White));
}

#[test]
fn an_offer_of_a_draw_is_declined_by_moving() {
    let mut table = table("diamond", None);
    for now in 1..=2 {
        let (turn, next) = (table.turn(), any_move(&table, 0));
        act(&mut table, turn, next, now).expect("legal");
    }
    act(&mut table, Color::White, Action::Draw, 3).expect("offered");
    let own = any_move(&table, 0);
    act(&mut table, Color::White, own, 4).expect("legal");
    assert_eq!(table.offers.draw, Some(Color::White), "stays until the other has moved");
    let others = any_move(&table, 0);
    act(&mut table, Color::Black, others, 5).expect("legal");
    assert_eq!(table.offers.draw, None);
}

#[test]
fn who_is_out_of_time_loses_also_by_moving_too_late() {
    let mut table = table("diagonal", BLITZ);
    for now in [1_000, 2_000] {
        let (turn, next) = (table.turn(), any_move(&table, 0));
        act(&mut table, turn, next, now).expect("legal");
    }
    assert_eq!(table.flag(301_999), None);
    let mut late = table.clone();
    let next = any_move(&late, 0);
    act(&mut late, Color::White, next, 302_000).expect("the end is a fact");
    assert_eq!(late.ended, Some(("0-1".into(), Reason::Time)));
    let flag = table.flag(302_000).expect("over");
    table.apply(&flag).expect("fits");
    assert_eq!((table.status(), table.ended.clone()), (Status::Finished, Some(("0-1".into(), Reason::Time))));
}

#[test]
fn a_bare_king_does_not_win_on_time_unless_it_could_win_by_arriving() {
    for (variant, fen, reason) in [
        ("diagonal", "7k/8/8/8/8/8/8/KQ6 w - - 0 1", Reason::TimeDraw),
        ("diamondback", "8/8/2k5/8/8/8/8/KQ6 w - - 0 1", Reason::Time),
    ] {
        let game = library::game(variant).expect("built in");
        let start = AnyPosition::from_fen(&game, fen).expect("a position");
        let mut table = Table::new(empty(variant, BLITZ).terms, start);
        for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
            table.apply(&Fact::Joined { color, player: person(name), at: 0 }).expect("an open place");
        }
        let Fact::Finished { reason: found, .. } = table.out_of_time(Color::White, 1) else {
            panic!("an end")
        };
        assert_eq!(found, reason, "{variant}");
    }
}

#[test]
fn a_goal_is_written_in_the_game_and_in_pgn() {
    let game = library::game("diagonal").expect("built in");
    let start = AnyPosition::from_fen(&game, "8/6P1/8/8/3k4/8/8/K7 w - - 0 1").expect("a position");
    let mut table = Table::new(empty("diagonal", None).terms, start);
    for (color, name) in [(Color::White, "ann"), (Color::Black, "bob")] {
        table.apply(&Fact::Joined { color, player: person(name), at: 0 }).expect("an open place");
    }
    act(&mut table, Color::White, Action::Move { played: "g7h8".into(), ply: 0 }, 5).expect("legal");
    assert_eq!(table.ended, Some(("1-0".into(), Reason::Goal)));
    let pgn = table.pgn("http://localhost/game/table").expect("writable");
    for part in ["[Variant \"Diagonal Chess\"]", "[White \"ann\"]", "[Result \"1-0\"]", "[FEN \"", "1-0\n"] {
        assert!(pgn.contains(part), "{part} in\n{pgn}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever is done, a table built anew from its facts is the same, and what is refused changes nothing.
    #[test]
    fn facts_are_all_there_is(
        which in 0..FIVE.len(),
        clocked in any::<bool>(),
        steps in prop::collection::vec((0..10u8, any::<bool>(), any::<usize>(), 1..20_000i64), 1..60),
    ) {
        let clock = clocked.then_some(Clock::Live { initial_s: 300, increment_s: 2 });
        let mut played = table(FIVE[which], clock);
        let mut again = table(FIVE[which], clock);
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
            let before = played.state(now, Attendance::default());
            match played.act(color, &action, now, 0) {
                Ok(facts) => {
                    // What could not be written down has not happened.
                    let mark = played.mark(&facts);
                    for fact in &facts {
                        played.apply(fact).expect("what is allowed fits");
                    }
                    played.return_to(mark);
                    prop_assert_eq!(&before, &played.state(now, Attendance::default()));
                    prop_assert_eq!(played.played.len(), again.played.len());
                    for fact in facts {
                        let text = serde_json::to_string(&fact).expect("plain data");
                        played.apply(&fact).expect("what is allowed fits");
                        again.apply(&serde_json::from_str(&text).expect("as written")).expect("the same");
                    }
                }
                Err(_) => prop_assert_eq!(before, played.state(now, Attendance::default())),
            }
            prop_assert_eq!(played.state(now, Attendance::default()), again.state(now, Attendance::default()));
        }
    }

    /// Whoever comes back, at whatever moment they left, knows the whole game by what they are told.
    #[test]
    fn what_was_missed_completes_what_was_known(
        which in 0..FIVE.len(),
        steps in prop::collection::vec((0..6u8, any::<usize>()), 1..60),
        left in any::<prop::sample::Index>(),
    ) {
        let mut table = table(FIVE[which], BLITZ);
        let there = Attendance::default();
        let mut known = vec![table.shown(None, 0, there)];
        for (what, pick) in steps {
            let turn = table.turn();
            let actions = match what {
                0 => [Some((turn, Action::Takeback)), Some((!turn, Action::Takeback))],
                1 => [Some((turn, Action::Draw)), None],
                _ => [Some((turn, any_move(&table, pick))), None],
            };
            for (color, action) in actions.into_iter().flatten() {
                // What may not be done now is left out.
                let _ = act(&mut table, color, action, 1);
                known.push(table.shown(None, 0, there));
            }
            if table.status() == Status::Finished {
                break;
            }
        }
        let (then, now) = (&known[left.index(known.len())], table.shown(None, 0, there));
        let since = table.since(then.state.seq, None, 0, there).expect("it has been heard of");
        let mut history = then.history[..since.kept as usize].to_vec();
        history.extend(since.history);
        prop_assert_eq!((history, since.state), (now.history, now.state));
        prop_assert_eq!((since.white, since.black, since.next), (now.white, now.black, now.next));
        prop_assert_eq!(table.since(table.seq + 1, None, 0, there), None);
    }

    /// Time is neither made nor lost: what both sides have left and have used is what there was and what was added.
    #[test]
    fn clocks_add_up(moves in prop::collection::vec((0..30_000i64, 0..800i64), 1..80)) {
        let mut state = clock::ClockState::new(Clock::Live { initial_s: 600, increment_s: 5 });
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
            turn = !turn;
            state.start(turn, ply + 1, now);
            let total = state.left(Color::White, now) + state.left(Color::Black, now);
            prop_assert_eq!(total, 1_200_000 - used + added);
        }
    }
}

#[test]
fn what_was_declined_is_offered_again_only_in_another_position() {
    let mut table = table("diamond", None);
    for _ in 0..2 {
        let (mover, next) = (table.turn(), any_move(&table, 0));
        act(&mut table, mover, next, 1).expect("legal");
    }
    for (offer, decline) in [(Action::Draw, Action::DeclineDraw), (Action::Takeback, Action::DeclineTakeback)]
    {
        act(&mut table, Color::White, offer.clone(), 2).expect("the first time");
        act(&mut table, Color::Black, decline, 3).expect("it was offered");
        assert_eq!(act(&mut table, Color::White, offer.clone(), 4), Err(Refusal::Declined));
        let (mover, next) = (table.turn(), any_move(&table, 0));
        act(&mut table, mover, next, 5).expect("legal");
        act(&mut table, Color::White, offer, 6).expect("the position is another");
    }
}

#[test]
fn nobody_is_asked_for_another_game_who_is_not_there() {
    let mut waiting = empty("diamond", None);
    waiting.apply(&Fact::Joined { color: Color::White, player: person("ann"), at: 0 }).expect("open");
    act(&mut waiting, Color::White, Action::Abort, 1).expect("nobody has moved");
    assert_eq!(act(&mut waiting, Color::White, Action::Rematch, 2), Err(Refusal::Gone));
}

#[test]
fn time_is_given_slowly_and_not_without_end() {
    let mut table = table("diagonal", BLITZ);
    let given = Ok(vec![Fact::TimeGiven { to: Color::Black, ms: 15_000, at: Some(1_000) }]);
    assert_eq!(act(&mut table, Color::White, Action::GiveTime, 1_000), given);
    // However many sockets it comes by.
    for now in [1_000, 1_500, 1_999] {
        assert_eq!(act(&mut table, Color::White, Action::GiveTime, now), Err(Refusal::GiftTooSoon));
    }
    assert!(act(&mut table, Color::Black, Action::GiveTime, 1_500).is_ok(), "the other gives, too");
    for gift in 2..=20 {
        assert!(act(&mut table, Color::White, Action::GiveTime, gift * 1_000).is_ok(), "gift {gift}");
    }
    assert_eq!(act(&mut table, Color::White, Action::GiveTime, 100_000), Err(Refusal::TooManyGifts));
    let left = table.clock.expect("a clock").left(Color::Black, 100_000);
    assert_eq!(left, 300_000 + 20 * 15_000);
}

#[test]
fn accepting_a_takeback_twice_asks_for_none() {
    let mut table = table("diagonal", None);
    for now in 1..=4 {
        let (turn, next) = (table.turn(), any_move(&table, 3));
        act(&mut table, turn, next, now).expect("legal");
    }
    act(&mut table, Color::White, Action::Takeback, 10).expect("asked");
    act(&mut table, Color::Black, Action::Takeback, 20).expect("accepted");
    assert_eq!(act(&mut table, Color::Black, Action::Takeback, 220), Ok(Vec::new()));
    assert_eq!((table.played.len(), table.offers.takeback), (2, None));
    // A while later it is a request of one's own.
    act(&mut table, Color::Black, Action::Takeback, 5_000).expect("asked");
    assert_eq!(table.offers.takeback, Some(Color::Black));
}

#[test]
fn a_move_of_any_length_is_not_read() {
    let mut table = table("diagonal", None);
    for length in [41, 60_000] {
        let long = Action::Move { played: "a".repeat(length), ply: 0 };
        let why = "expected a move of at most 40 characters".to_owned();
        assert_eq!(act(&mut table, Color::White, long, 1), Err(Refusal::Move(why)));
    }
}
