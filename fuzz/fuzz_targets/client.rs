//! Lines that another engine sends: any `info` line gives numbers that are the same when they are written and read again, and any
//! option accepts its own values.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_engine::Score;
use lozenge_protocol::client::{SearchInfo, UciOption};

fuzz_target!(|data: &[u8]| {
    for line in String::from_utf8_lossy(data).lines() {
        if let Some(text) = line.strip_prefix("option name ") {
            check_option(&UciOption::parse(text));
        } else {
            let info = SearchInfo::parse(line);
            assert_eq!(SearchInfo::parse(&written(info)), info, "{line}");
        }
    }
});

fn check_option(option: &UciOption) {
    match option.bounds {
        Some((least, most)) if least <= most => {
            assert_eq!(option.expected_instead_of(&least.to_string()), None);
            assert_eq!(option.expected_instead_of(&most.to_string()), None);
        }
        Some(_) => {}
        None => assert!(option.values.iter().all(|value| option.expected_instead_of(value).is_none())),
    }
}

/// An `info` line with these numbers.
fn written(info: SearchInfo) -> String {
    let mut line = "info".to_owned();
    let mut add = |name: &str, value: Option<String>| {
        line.extend(value.map(|value| format!(" {name} {value}")));
    };
    add("depth", info.depth.map(|depth| depth.to_string()));
    add("nodes", info.nodes.map(|nodes| nodes.to_string()));
    add("time", info.time.map(|time| time.as_millis().to_string()));
    add("score", info.score.map(score));
    line
}

fn score(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Wins(moves) => format!("mate {moves}"),
        Score::Loses(moves) => format!("mate -{moves}"),
    }
}
