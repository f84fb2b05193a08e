//! The balance report of orthodox chess, whose piece values are known.

use crate::process::{Failure, Outcome, cargo, none_of, program, read, run as run_command};
use crate::smoke::released;
use serde_json::Value;

/// The pieces of chess, with bounds of their values from games at odds (H. G. Muller), with room for 1,500 games.
const PUBLISHED: [(&str, f64, f64); 4] =
    [("N", 2.6, 4.0), ("B", 2.6, 4.2), ("R", 4.2, 6.0), ("Q", 8.0, 11.5)];

/// Fails with every value outside its bounds.
pub(crate) fn check() -> Outcome {
    run_command(&mut cargo(&["build", "--release", "-p", "lozenge", "--bins"]))?;
    let mut report = program(released("lozenge")?);
    let text = read(report.args(["lab", "report", "chess", "--games", "1500", "--nodes", "1000", "--json"]))?;
    let report: Value =
        serde_json::from_str(&text).map_err(|error| Failure::new(format!("lozenge lab report: {error}")))?;
    let pieces = report["pieces"].as_array().map_or(&[][..], Vec::as_slice);
    let faults: Vec<String> = PUBLISHED
        .iter()
        .filter_map(|&(letter, low, high)| {
            let found = pieces.iter().find(|piece| piece["letter"] == letter)?["fitted"][0].as_f64()?;
            println!("{letter} {found:.2}");
            (!(low..=high).contains(&found))
                .then(|| format!("{letter}: expected {low} to {high} pawns, found {found:.2}"))
        })
        .collect();
    none_of("values of pieces that are not those of chess", &faults)
}
