//! The words of a report in the reader's language (Fluent, `locales/`): names of numbers, what they mean, numbers as they are
//! written. Not here: the page.

use super::json::{Number, Unit};
use super::plan::Plan;
use crate::stats::elo_of;
use lozenge_explain::{Catalog, Language};
use std::sync::LazyLock;

static MESSAGES: LazyLock<Catalog> = LazyLock::new(|| {
    Catalog::new([
        &[include_str!("../../locales/en/report.ftl")],
        &[include_str!("../../locales/de/report.ftl")],
    ])
});

/// Largest difference in Elo that is meaningful.
const MAX_ELO: f64 = 2_000.0;

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words(pub(crate) Language);

impl Words {
    /// A text.
    pub(crate) fn get(self, key: &str) -> String {
        self.message(key, &[])
    }

    /// A text with others in it.
    pub(crate) fn message(self, key: &str, texts: &[(&str, &str)]) -> String {
        MESSAGES.message(self.0, key, texts)
    }

    /// A number with `digits` digits after the point.
    pub(crate) fn decimal(self, value: f64, digits: usize) -> String {
        let text = format!("{value:.digits$}").replace('-', "−");
        if self.0 == Language::German { text.replace('.', ",") } else { text }
    }

    /// A share as a percentage.
    pub(crate) fn share(self, share: f64, digits: usize) -> String {
        let number = self.decimal(share * 100.0, digits);
        if self.0 == Language::German { format!("{number}\u{a0}%") } else { format!("{number}%") }
    }

    /// A share as a percentage in a sentence: half a percent is not none.
    fn percent(self, share: f64) -> String {
        self.share(share, usize::from(share > 0.0 && share < 0.095))
    }

    /// A whole number in groups of three digits.
    pub(crate) fn grouped(self, number: u64) -> String {
        let mark = if self.0 == Language::German { '.' } else { ',' };
        let digits = number.to_string();
        let mut out = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                out.push(mark);
            }
            out.push(digit);
        }
        out
    }

    /// A value in its unit, without the unit's name.
    pub(crate) fn in_unit(self, unit: Unit, value: Option<f64>) -> String {
        let Some(value) = value else { return "–".into() };
        match unit {
            Unit::Share => self.share(value, 1),
            Unit::Elo if value.round() > 0.0 => format!("+{}", self.decimal(value, 0)),
            Unit::Elo => self.decimal(value, 0),
            Unit::Plies => self.decimal(value / 2.0, 0),
            Unit::Count => self.decimal(value, usize::from(value.abs() < 100.0)),
        }
    }

    /// The name of a number.
    pub(crate) fn name(self, key: &str) -> String {
        self.get(&format!("name-{key}"))
    }

    /// The meaning of a number as a sentence; it follows from the number and the plan.
    pub(crate) fn meaning(self, number: &Number, plan: &Plan) -> String {
        let key = number.key.as_str();
        // A score of nothing or everything has no number in Elo, only a bound.
        let value = match (number.unit, number.value, number.low, number.high) {
            (_, Some(value), ..) => value,
            (Unit::Elo, None, Some(_), _) => f64::INFINITY,
            (Unit::Elo, None, None, Some(_)) => f64::NEG_INFINITY,
            _ => return self.get("means-nothing"),
        };
        let (weak, plain) = match key.strip_suffix("-weak") {
            Some(plain) => (true, plain),
            None => (false, key),
        };
        let players = if weak {
            self.message("who-weak", &[("level", &plan.level.to_string())])
        } else {
            self.message("who", &[("nodes", &self.grouped(plan.nodes))])
        };
        let elo = self.decimal(elo_of(value).abs().min(MAX_ELO), 0);
        let better =
            self.message(if value >= 0.5 { "better-white" } else { "better-black" }, &[("elo", &elo)]);
        let points = self.decimal(value * 100.0, 1);
        let share = match number.unit {
            Unit::Elo => self.percent(score_of(value)),
            _ => self.percent(value),
        };
        let pays = self.get(if score_of(value) >= 0.6 { "pays" } else { "pays-not" });
        let moves = self.decimal(value / 2.0, 0);
        let count = self.decimal(value, usize::from(key == "lead-changes"));
        self.message(
            &format!("means-{plain}"),
            &[
                ("who", &players),
                ("better", &better),
                ("points", &points),
                ("share", &share),
                ("pays", &pays),
                ("moves", &moves),
                ("count", &count),
            ],
        )
    }
}

/// The score that a difference in Elo gives.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of a file of messages.
    fn keys(text: &str) -> Vec<&str> {
        text.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect()
    }

    #[test]
    fn both_languages_have_the_same_messages() {
        let [english, german] =
            [include_str!("../../locales/en/report.ftl"), include_str!("../../locales/de/report.ftl")]
                .map(keys);
        assert_eq!(english, german);
        for language in Language::ALL {
            assert!(english.iter().all(|key| MESSAGES.has(language, key)), "{language:?}");
        }
    }

    #[test]
    fn numbers_are_written_as_the_language_writes_them() {
        let (english, german) = (Words(Language::English), Words(Language::German));
        assert_eq!((english.grouped(1_234_567), german.grouped(1_000)), ("1,234,567".into(), "1.000".into()));
        assert_eq!(
            (english.share(0.5123, 1), german.share(0.5123, 1)),
            ("51.2%".into(), "51,2\u{a0}%".into())
        );
        assert_eq!(english.in_unit(Unit::Elo, Some(-12.0)), "−12");
        assert_eq!(english.in_unit(Unit::Elo, Some(12.0)), "+12");
        assert_eq!(german.in_unit(Unit::Count, Some(1.26)), "1,3");
    }

    #[test]
    fn a_sentence_follows_from_number_and_plan() {
        let plan = Plan { games: 10, nodes: 2_000, level: 5, seed: 1 };
        let number = |key: &str, unit, value, low| Number {
            key: key.into(),
            name: String::new(),
            unit,
            value,
            low,
            high: None,
            games: 10,
            meaning: String::new(),
            verdict: None,
        };
        let english = Words(Language::English);
        let score = number("white-score-weak", Unit::Share, Some(0.4), None);
        assert_eq!(
            english.meaning(&score, &plan),
            "Of 100 points between equal players at level 5, White makes 40.0: Black is better off by 70 Elo."
        );
        let all = number("depth", Unit::Elo, None, Some(300.0));
        let text = english.meaning(&all, &plan);
        assert!(text.contains("makes 100% of the points: thinking longer pays"), "{text}");
        assert_eq!(
            english.meaning(&number("draws", Unit::Share, None, None), &plan),
            english.get("means-nothing")
        );
    }
}
