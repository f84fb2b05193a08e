//! The lobby by itself: how long seeks stay open, its capacity, and its messages.

use super::*;
use lozenge_wire::{Clock, Side};
use lozenge_wire::{PlayerKind, Speed};

fn seek(player: &str, clock: Option<Clock>, created_at: i64) -> OpenSeek {
    let player = Player {
        kind: PlayerKind::Guest,
        id: player.into(),
        name: "Guest".into(),
        rating: None,
        provisional: false,
        level: None,
    };
    let seek = Seek {
        id: lozenge_game::ids::other(),
        player,
        variant: "diamond".into(),
        variant_name: "Diamond Chess".into(),
        clock,
        speed: Speed::Blitz,
        side: Side::Random,
        rated: false,
        rating_min: None,
        rating_max: None,
        yours: true,
        created_at,
    };
    OpenSeek { seek, network: None }
}

fn count(lobby: &Lobby, player: &str) -> (usize, usize) {
    lobby.with(|inner| {
        let own = inner.open.iter().filter(|open| open.seek.player.id == player);
        (own.count(), inner.open.len())
    })
}

const LIVE: Option<Clock> = Some(Clock::Live { initial_s: 180, increment_s: 2 });
const DAYS: Option<Clock> = Some(Clock::Correspondence { days: 3 });

#[test]
fn seeks_expire_after_the_lifetime_of_their_clock() {
    let (lobby, now) = (Lobby::default(), now_ms());
    for (clock, age, stands) in [
        (LIVE, OpenSeek::LIVE_MS - 1_000, true),
        (LIVE, OpenSeek::LIVE_MS, false),
        (None, OpenSeek::LIVE_MS, false),
        (DAYS, OpenSeek::LIVE_MS, true),
        (DAYS, OpenSeek::CORRESPONDENCE_MS - 60_000, true),
        (DAYS, OpenSeek::CORRESPONDENCE_MS, false),
    ] {
        lobby.add(seek("ann", clock, now - age));
        assert_eq!(count(&lobby, "ann").0 == 1, stands, "{clock:?} after {age} ms");
        lobby.clear("ann", false);
    }
}

#[test]
fn concurrent_seeks_of_one_player_stop_at_five() {
    let lobby = Lobby::default();
    let opened = std::thread::scope(|scope| {
        let all: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| lobby.match_or_add(seek("ann", LIVE, now_ms())).is_ok()))
            .collect();
        all.into_iter().filter_map(|one| one.join().ok()).filter(|opened| *opened).count()
    });
    assert_eq!((opened, count(&lobby, "ann").0), (5, 5));
    assert_eq!(lobby.has_room("ann", None, false), Err(SeekLimit::Player));
    assert_eq!(lobby.has_room("ann", None, true), Ok(()), "by correspondence there is room");
    assert_eq!(lobby.has_room("bob", None, false), Ok(()));
}

#[test]
fn concurrent_equal_seeks_match() {
    for _ in 0..200 {
        let lobby = Lobby::default();
        let met = std::thread::scope(|scope| {
            let both = ["ann", "bob"]
                .map(|name| scope.spawn(|| lobby.match_or_add(seek(name, LIVE, now_ms())).expect("room")));
            both.into_iter()
                .map(|one| one.join().expect("no panic"))
                .filter(|placed| matches!(placed, SeekOutcome::Matched(_)))
                .count()
        });
        assert_eq!((met, lobby.list(None).len()), (1, 0));
    }
}

#[test]
fn live_seeks_survive_a_reload_but_not_the_last_disconnect() {
    let lobby = Lobby::default();
    let ((first, _), (second, _)) = (lobby.listen(Some("ann")), lobby.listen(Some("ann")));
    for (player, clock) in [("ann", LIVE), ("ann", DAYS), ("bob", LIVE)] {
        lobby.add(seek(player, clock, now_ms()));
    }
    drop(first);
    lobby.clear_disconnected("ann");
    assert_eq!(count(&lobby, "ann").0, 2, "she is still connected");
    let open = lobby.list(None);
    drop(second);
    assert!(
        lobby.list(None).iter().all(|seek| seek.player.id == "bob" || seek.clock == DAYS),
        "hidden at once"
    );
    let live = open.iter().find(|seek| seek.player.id == "ann" && seek.clock == LIVE).expect("listed before");
    assert!(lobby.get(&live.id).is_none() && lobby.take(&live.id, |_| true).is_none(), "and not joinable");
    let met = lobby.match_or_add(seek("cid", LIVE, now_ms())).expect("room");
    assert!(matches!(met, SeekOutcome::Matched(open) if open.seek.player.id == "bob"), "nor matched");
    lobby.add(seek("bob", LIVE, now_ms()));
    let (third, _) = lobby.listen(Some("ann"));
    lobby.clear_disconnected("ann");
    assert_eq!(count(&lobby, "ann").0, 2, "she came back in time");
    drop(third);
    lobby.clear_disconnected("ann");
    assert_eq!(count(&lobby, "ann"), (1, 2), "seeks of others and by correspondence stay");
    assert!(lobby.with(|inner| inner.open.iter().all(|one| one.seek.player.id == "bob" || one.is_stored())));
}

#[test]
fn rename_reaches_all_seeks_and_clear_removes_them() {
    let lobby = Lobby::default();
    lobby.add(seek("ann", LIVE, now_ms()));
    lobby.add(seek("ann", DAYS, now_ms()));
    let named = Player { name: "Ann".into(), kind: PlayerKind::User, ..seek("ann", LIVE, 0).seek.player };
    lobby.rename(&named);
    assert!(lobby.list(None).iter().all(|seek| seek.player == named));
    lobby.clear("ann", false);
    assert_eq!(lobby.list(Some("ann")), []);
}

fn network(last: [u8; 2]) -> Option<Network> {
    Some(std::net::IpAddr::from([192, 0, last[0], last[1]]).into())
}

#[test]
fn guests_of_one_address_cannot_fill_the_lobby() {
    let lobby = Lobby::default();
    for clock in [DAYS, LIVE] {
        let flood = (0..1_025).filter(|number| {
            let guest = format!("guest {}", number / 5);
            let one = OpenSeek { network: network([2, 7]), ..seek(&guest, clock, now_ms()) };
            // Each for another rating, so that they do not meet.
            let seek = Seek { rating_min: Some(3_000), ..one.seek };
            lobby.match_or_add(OpenSeek { seek, ..one }).is_ok()
        });
        assert_eq!(flood.count(), SEEKS_OF_NETWORK, "{clock:?}");
        assert_eq!(lobby.has_room("bob", network([2, 7]), clock == DAYS), Err(SeekLimit::Network));
        assert_eq!(lobby.has_room("bob", network([3, 7]), clock == DAYS), Ok(()));
    }
}

#[test]
fn full_lobby_evicts_seeks_of_disconnected_guests() {
    let lobby = Lobby::default();
    let one = |number: usize| {
        let one = seek(&format!("guest {}", number / 5), DAYS, now_ms());
        OpenSeek { seek: Seek { rating_min: Some(3_000), ..one.seek }, ..one }
    };
    (0..MAX_SEEKS).for_each(|number| assert!(lobby.match_or_add(one(number)).is_ok()));
    let (_first, _) = lobby.listen(Some("guest 0"));
    let placed = lobby.match_or_add(one(5 * MAX_SEEKS)).expect("room");
    let SeekOutcome::Added { evicted: Some(evicted) } = placed else { panic!("{placed:?}") };
    assert_eq!(evicted.seek.player.id, "guest 1", "the first listens");
    assert_eq!(lobby.list(None).len(), MAX_SEEKS);
    // Neither connected players nor accounts are evicted.
    lobby.with(|inner| inner.open.iter_mut().for_each(|open| open.seek.player.kind = PlayerKind::User));
    assert!(matches!(lobby.match_or_add(one(6 * MAX_SEEKS)), Err(SeekLimit::Lobby)));
    assert!(lobby.match_or_add(seek("ann", LIVE, now_ms())).is_ok(), "live seeks are counted apart");
}

#[test]
fn rating_range_is_checked_on_both_sides() {
    let lobby = Lobby::default();
    let of = |player: &str, rating: i32, range: Option<(i32, i32)>| {
        let mut one = seek(player, LIVE, now_ms());
        one.seek.player.rating = Some(rating);
        (one.seek.rating_min, one.seek.rating_max) = range.unzip();
        lobby.match_or_add(one).expect("room")
    };
    of("ann", 1_600, Some((1_500, 1_700)));
    assert!(matches!(of("bob", 1_400, None), SeekOutcome::Added { .. }), "too weak for Ann");
    assert!(matches!(of("cid", 1_650, Some((1_700, 2_000))), SeekOutcome::Added { .. }), "Ann is too weak");
    let met = of("dan", 1_700, Some((1_600, 1_700)));
    assert!(matches!(met, SeekOutcome::Matched(open) if open.seek.player.id == "ann"));
}

fn event(text: &str) -> lozenge_wire::LobbyEvent {
    serde_json::from_str(text).expect("an event")
}

#[tokio::test]
async fn new_seek_is_yours_only_for_its_maker() {
    let lobby = Lobby::default();
    let mut listeners = [Some("ann"), Some("bob"), None].map(|player| lobby.listen(player).0);
    lobby.add(seek("ann", LIVE, now_ms()));
    for (listener, yours) in listeners.iter_mut().zip([true, false, false]) {
        let text = listener.next().await.expect("open");
        let lozenge_wire::LobbyEvent::Changes { added, .. } = event(&text) else { panic!("{text}") };
        assert_eq!(added.iter().map(|seek| seek.yours).collect::<Vec<_>>(), [yours]);
    }
}

#[tokio::test]
async fn listeners_receive_the_list_once_then_changes() {
    use lozenge_wire::LobbyEvent::{Changes, Seeks};
    let lobby = Lobby::default();
    lobby.add(seek("ann", LIVE, now_ms()));
    let (mut listener, first) = lobby.listen(Some("bob"));
    let Seeks { version: known, seeks, .. } = event(&first) else { panic!("{first}") };
    assert_eq!(seeks.len(), 1);
    // A burst is one message, without what came and went in it.
    lobby.clear("ann", false);
    (0..4).for_each(|_| lobby.add(seek("bob", LIVE, now_ms())));
    lobby.add(seek("cid", LIVE, now_ms()));
    lobby.clear("cid", false);
    let text = listener.next().await.expect("open");
    let Changes { version, added, removed, .. } = event(&text) else { panic!("{text}") };
    assert_eq!((version, added.len(), removed.as_slice()), (known + 1, 4, &[seeks[0].id.clone()][..]));
    assert!(added.iter().all(|seek| seek.yours));
    // A listener that connects now gets the list of this version.
    let (_, late) = lobby.listen(None);
    assert!(matches!(event(&late), Seeks { version: now, seeks, .. } if now == version && seeks.len() == 4));
    // A listener that is too slow is sent the list again.
    for _ in 0..=BACKLOG {
        lobby.add(seek("ann", LIVE, now_ms()));
        lobby.send_changes(&mut lobby.lock());
    }
    let text = listener.next().await.expect("open");
    assert!(matches!(event(&text), Seeks { seeks, .. } if seeks.len() == 5 + BACKLOG), "{text}");
}
