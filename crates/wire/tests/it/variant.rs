//! Answers about variant files.

use lozenge_wire::{FaultyFile, Problem, VariantCheck, VariantFault};
use serde_json::json;

#[test]
fn faulty_file_is_a_problem_and_the_result_of_the_check() {
    let problem = Problem {
        kind: "/problems/invalid".into(),
        title: "Invalid request".into(),
        status: 422,
        detail: "line 1: no".into(),
        code: "invalid".into(),
    };
    let fault = VariantFault { line: 1, column: 2, message: "no".into(), from: 1, to: 3, suggestion: None };
    let check = VariantCheck { valid: false, digest: None, faults: vec![fault], board: None };
    let file = FaultyFile { problem, check };
    let expected = json!({
        "type": "/problems/invalid", "title": "Invalid request", "status": 422, "detail": "line 1: no", "code": "invalid",
        "valid": false, "digest": null,
        "faults": [{"line": 1, "column": 2, "message": "no", "from": 1, "to": 3}],
    });
    assert_eq!(json!(file), expected);
    assert_eq!(serde_json::from_value::<FaultyFile>(expected).expect("a faulty file"), file);
}
