//! Weights as text: the data that `lozenge_engine::read_weights` reads.

use super::fingerprint;
use super::fit::Fitted;
use jiff::{Timestamp, tz::TimeZone};
use lozenge_engine::{Taper, Values};
use lozenge_rules::variant::Variant;

/// The text of tuned weights, with the commands that made them.
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
            numbers(|weight| weight.middle()),
            numbers(|weight| weight.end())
        ));
    }
    text
}

/// The date in UTC, year first.
pub(super) fn today() -> String {
    Timestamp::now().to_zoned(TimeZone::UTC).date().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_engine::read_weights;
    use lozenge_rules::library;

    #[test]
    fn written_weights_are_read_back() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            let values = Values::derived(&variant);
            let mut weights = values.derived_weights().to_vec();
            weights.iter_mut().enumerate().for_each(|(at, weight)| *weight += Taper::new(0, at as i32 % 7));
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
}
