//! The events of an account, as programs and pages receive them.

use lozenge_wire::{Challenge, GameId, PlayerEvent};
use serde_json::json;

const CHALLENGE: &str = r#"{"challenged":{"id":"b","kind":"user","name":"Bob"},"challenger":{"id":"a","kind":"user","name":"Ann"},"clock":null,"created_at":1,"expires_at":2,"id":"c","rated":false,"side":"random","speed":"unlimited","variant":"diamond","variant_name":"Diamond Chess"}"#;

#[test]
fn player_events_keep_their_json() {
    let challenge: Challenge = serde_json::from_str(CHALLENGE).expect("a challenge");
    let game = GameId { id: "g".into(), game_id: "g".into() };
    let of_challenge = |kind: &str| format!(r#"{{"challenge":{CHALLENGE},"type":"{kind}"}}"#);
    for (event, expected) in [
        (
            PlayerEvent::GameStart { game: game.clone() },
            r#"{"game":{"gameId":"g","id":"g"},"type":"gameStart"}"#.to_owned(),
        ),
        (
            PlayerEvent::GameFinish { game: game.clone() },
            r#"{"game":{"gameId":"g","id":"g"},"type":"gameFinish"}"#.to_owned(),
        ),
        (PlayerEvent::Challenge { challenge: challenge.clone() }, of_challenge("challenge")),
        (
            PlayerEvent::ChallengeAccepted { challenge: challenge.clone(), game },
            format!(
                r#"{{"challenge":{CHALLENGE},"game":{{"gameId":"g","id":"g"}},"type":"challengeAccepted"}}"#
            ),
        ),
        (PlayerEvent::ChallengeDeclined { challenge: challenge.clone() }, of_challenge("challengeDeclined")),
        (PlayerEvent::ChallengeCanceled { challenge }, of_challenge("challengeCanceled")),
    ] {
        // As the server sends it: with sorted keys.
        assert_eq!(json!(event).to_string(), expected);
        assert_eq!(serde_json::from_str::<PlayerEvent>(&expected).expect("an event"), event);
    }
}
