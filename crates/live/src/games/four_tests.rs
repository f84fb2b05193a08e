//! Live games of four on a real database. The tests pass the time in.

#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use super::actions::victory;
use super::tests::{MINUTE, TestGames, first_move, id, live_games, player, reason};
use super::{GameHandle, PlayerAction};
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, GameConfig, GameEvent, speed};
use lozenge_rules::library;
use lozenge_rules::position::AnyMultiPosition;
use lozenge_wire::{Action, Color, GameResult, Player, PlayerKind, Reason, Visibility};

const COLORS: [Color; 4] = [Color::Red, Color::Blue, Color::Yellow, Color::Green];

fn people() -> [Option<Player>; 4] {
    ["ann", "bob", "cid", "dan"].map(|name| player(PlayerKind::Guest, name))
}

impl TestGames {
    /// Two guests more.
    async fn for_four() -> Self {
        let site = Self::new().await;
        for name in ["cid", "dan"] {
            site.store.make_guest(name, 1).await.unwrap();
        }
        site
    }

    /// A game of four that was made now.
    async fn game_of_four(
        &self,
        variant: &str,
        rated: bool,
        open_seats: Vec<Color>,
        seats: [Option<Player>; 4],
    ) -> GameHandle {
        let config = GameConfig {
            id: lozenge_game::ids::game(),
            digest: String::new(),
            clock: MINUTE,
            speed: speed(MINUTE),
            rated,
            visibility: Visibility::Public,
            maker: "ann".into(),
            previous: None,
            fill: None,
            open_seats,
            created_at: now_ms(),
        };
        let start = AnyMultiPosition::start(&library::multi_game(variant).unwrap());
        self.games.create(config, start, seats).await.unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unrated_game_of_four_is_rated_for_all_at_the_next_start() {
    let site = TestGames::for_four().await;
    let names = ["ann", "bob", "cid", "dan"];
    for name in names {
        assert!(site.store.name_user(name, name, "hash").await.unwrap());
    }
    let seats = names.map(|name| player(PlayerKind::User, name));
    let live = site.game_of_four("diamondring-four", true, Vec::new(), seats).await;
    for _ in 0..4 {
        site.play(&live, &first_move(&live).await).await;
    }
    {
        let mut inner = live.lock().await;
        let (result, reason) = (GameResult::Places([2, 1, 3, 4]), Reason::Decided);
        let end = GameEvent::Finished { result, reason, at: now_ms() };
        live.commit(&mut inner, &site.store, vec![end], now_ms()).await.unwrap();
    }
    let entry = async |name: &str| site.store.rating(name, "diamondring-four", speed(MINUTE)).await.unwrap();
    for lost in ["", "cid"] {
        site.tamper("DELETE FROM rating_history WHERE owner = 'cid'").await;
        site.tamper("DELETE FROM ratings WHERE owner = 'cid'").await;
        live_games(&site.store).start(Some(now_ms())).await.unwrap();
        for name in names {
            let entry = entry(name).await;
            assert_eq!(entry.games, 1, "{name} {lost}");
            assert_eq!(entry.rating > 1500.0, name == "bob", "{name} {lost}");
        }
    }
    site.games.remove_player("dan").await.unwrap();
    site.store.delete_user("dan", now_ms()).await.unwrap();
    site.tamper("DELETE FROM rating_history").await;
    site.tamper("DELETE FROM ratings").await;
    live_games(&site.store).start(Some(now_ms())).await.unwrap();
    for (name, games) in names.into_iter().zip([1, 1, 1, 0]) {
        assert_eq!(entry(name).await.games, games, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn game_in_the_lobby_is_aborted_when_its_players_have_left() {
    let site = TestGames::new().await;
    let seats = [player(PlayerKind::Guest, "ann"), None, None, None];
    let live = site.game_of_four("diamondring-four", false, vec![Color::Blue], seats).await;
    let listed = async || site.games.open_games().await.unwrap().len();
    site.games.connect(&live, Color::Red, true).await;
    site.games.on_timer(&id(&live).await, now_ms() + 10 * 60_000).await;
    assert_eq!((listed().await, reason(&live).await), (1, None));
    site.games.connect(&live, Color::Red, false).await;
    site.games.on_timer(&id(&live).await, now_ms() + 10 * 60_000).await;
    assert_eq!((listed().await, reason(&live).await), (0, Some(Reason::Aborted)));
}

/// Only whose turn it is can be claimed against, by the others who are in the game, and only this player goes out.
#[tokio::test(flavor = "multi_thread")]
async fn absent_player_of_four_goes_out_by_a_claim() {
    let site = TestGames::for_four().await;
    let live = site.game_of_four("diamondring-four", false, Vec::new(), people()).await;
    for _ in 0..4 {
        site.play(&live, &first_move(&live).await).await;
    }
    let [ann, bob, cid, dan] = people().map(Option::unwrap);
    site.games.act(&live, &ann, &Action::Resign.into(), 0).await.unwrap();
    for color in [Color::Red, Color::Yellow, Color::Green] {
        site.games.connect(&live, color, true).await;
    }
    let claim =
        async |player: &Player| site.games.act(&live, player, &PlayerAction::Game(Action::Claim), 0).await;
    let before = now_ms();
    {
        let mut inner = live.lock().await;
        inner.reset_absence(before);
        assert_eq!(inner.machine.turn(), Color::Blue);
        assert_eq!(
            COLORS.map(|color| inner.claimable_from(color)),
            [None, Some(before + 30_000), None, None]
        );
        assert_eq!(victory(&mut inner, Color::Yellow, before + 29_999), None);
        inner.reset_absence(before - 30_000);
    }
    assert_eq!(claim(&ann).await, Err(ActionError::NothingToClaim), "Red is out");
    live.lock().await.reset_absence(before - 30_000);
    assert_eq!(claim(&cid).await, Ok(()));
    {
        let inner = live.lock().await;
        let record = inner.machine.record.four().unwrap();
        assert_eq!(record.position().fen().split(' ').next_back(), Some("yg/rb"));
        assert_eq!((inner.machine.turn(), inner.machine.ended), (Color::Yellow, None), "the game goes on");
        assert!(COLORS.iter().all(|&color| inner.claimable_from(color).is_none()), "Yellow is there");
    }
    assert_eq!(claim(&bob).await, Err(ActionError::NothingToClaim));
    site.play(&live, &first_move(&live).await).await;
    site.games.connect(&live, Color::Green, false).await;
    live.lock().await.reset_absence(before - 30_000);
    assert_eq!(claim(&dan).await, Err(ActionError::NothingToClaim), "not against oneself");
    live.lock().await.reset_absence(before - 30_000);
    assert_eq!(claim(&cid).await, Ok(()));
    let ended = live.lock().await.machine.ended;
    assert_eq!(ended, Some((GameResult::Places([4, 3, 1, 2]), Reason::Decided)));
}

#[tokio::test(flavor = "multi_thread")]
async fn absent_partner_is_claimed_against_by_the_other_team() {
    let site = TestGames::for_four().await;
    let live = site.game_of_four("diamondring-teams", false, Vec::new(), people()).await;
    for _ in 0..4 {
        site.play(&live, &first_move(&live).await).await;
    }
    let [_, bob, cid, _] = people().map(Option::unwrap);
    for (player, expected) in [(cid, Err(ActionError::NothingToClaim)), (bob, Ok(()))] {
        live.lock().await.reset_absence(now_ms() - 30_000);
        let claim = PlayerAction::Game(Action::Claim);
        assert_eq!(site.games.act(&live, &player, &claim, 0).await, expected, "{}", player.name);
    }
    assert_eq!(live.lock().await.machine.ended, Some((GameResult::BlackWins, Reason::Decided)));
}
