//! Commands as a player's socket receives them.

use lozenge_wire::Command;

#[test]
fn move_commands_are_parsed_like_serde_json() {
    for text in [
        r#"{"type":"move","move":"e2e4","ply":0}"#,
        r#"{"ply":3,"id":7,"move":"Nf3","type":"move"}"#,
        r#"{"type":"move","move":"e\u0032e4","ply":0,"id":null,"more":[1]}"#,
        r#"{"type":"move","move":"e2e4"}"#,
        r#"{"type":"move","move":"e2e4","ply":-1}"#,
        r#"{"type":"move","move":"e2e4","ply":0,"ply":1}"#,
        r#"{"type":"resign","move":"e2e4","ply":0}"#,
        r#"{"type":"chat","room":"players","text":"hello"}"#,
        "[1]",
    ] {
        let expected = serde_json::from_str::<Command>(text).map_err(|error| error.to_string());
        assert_eq!(Command::read(text).map_err(|error| error.to_string()), expected, "{text}");
    }
}
