//! Weights as text: the data that `lozenge_engine::read_weights` reads.

use super::fingerprint;
use super::fit::Fitted;
use lozenge_engine::{Taper, Values};
use lozenge_rules::variant::Variant;
use std::time::{SystemTime, UNIX_EPOCH};

/// The text of tuned weights, with what they were made by.
#[must_use]
pub fn text(variant: &Variant, values: &Values, fitted: &Fitted, commands: &[String]) -> String {
    let [learnt, aside] = fitted.positions;
    let mut text = format!(
        "# Weights of the evaluation of {}, in sixteenths of a centipawn, for the middle game and the end.\n\
         # Made by the commands below; docs/evaluation.md explains them. Not to be edited by hand.\n\n\
         game = \"{}\"\nrules = \"{:016x}\"\ndate = \"{}\"\ncommands = [\n",
        variant.name(),
        variant.id(),
        fingerprint(variant),
        today(),
    );
    commands.iter().for_each(|command| text.push_str(&format!("  {command:?},\n")));
    text.push_str(&format!(
        "]\npositions = {learnt}\nkept-aside = {aside}\nscale = {:.0}\n\
         # Mean cross entropy: positions learnt from, positions kept aside.\n\
         loss-before = [{:.5}, {:.5}]\nloss-after = [{:.5}, {:.5}]\n\n[weights]\n",
        fitted.scale, fitted.before[0], fitted.before[1], fitted.after[0], fitted.after[1],
    ));
    for group in values.groups() {
        let weights = &fitted.weights[group.first..group.first + group.len];
        let numbers = |part: fn(&Taper) -> i32| {
            weights.iter().map(|weight| part(weight).to_string()).collect::<Vec<_>>().join(", ")
        };
        text.push_str(&format!(
            "{:?} = {{ middle = [{}], end = [{}] }}\n",
            group.name,
            numbers(|weight| weight.middle),
            numbers(|weight| weight.end)
        ));
    }
    text
}

/// The date, year first.
pub(super) fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    let (year, month, day) = civil(days as i64);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day of so many days after 1 January 1970 (the algorithm of Howard Hinnant, 2013).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_engine::read_weights;
    use lozenge_rules::library;

    #[test]
    fn what_is_written_is_read_again() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            let values = Values::derived(&variant);
            let mut weights = values.derived_weights().to_vec();
            weights.iter_mut().enumerate().for_each(|(at, weight)| weight.end += at as i32 % 7);
            let fitted =
                Fitted { weights, positions: [1, 2], scale: 300.0, before: [0.5; 2], after: [0.4; 2] };
            let text = text(&variant, &values, &fitted, &["lozenge lab tune".into()]);
            assert_eq!(read_weights(&text, &variant, &values).as_ref(), Ok(&fitted.weights), "{id}");
            // Another game, a missing group: refused.
            let other = library::game(if id == "chess" { "diagonal" } else { "chess" }).unwrap();
            assert!(read_weights(&text, &other, &Values::derived(&other)).is_err());
            assert!(read_weights(&text.replace("\"pair\"", "\"pear\""), &variant, &values).is_err());
        }
    }

    #[test]
    fn dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_454), (2026, 1, 1));
    }
}
