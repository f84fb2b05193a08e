//! Numbers on the command line, with errors that name the range instead of the parser's own words.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A parser for a whole number in a range, for `value_parser`. The greatest number of the type means "no upper limit".
pub(crate) fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Copy + Bounded + Send + Sync + 'static,
{
    move |text: &str| {
        let (least, most) = (*range.start(), *range.end());
        let expected = match (least == T::MIN, most == T::MAX) {
            (true, true) => "expected a whole number".to_owned(),
            (false, true) => format!("expected a whole number of at least {least}"),
            _ => format!("expected a whole number from {least} to {most}"),
        };
        text.parse().ok().filter(|number| range.contains(number)).ok_or(expected)
    }
}

/// A parser for a number with a fraction.
pub(crate) fn real(text: &str) -> Result<f64, &'static str> {
    text.parse().map_err(|_| "expected a number")
}

/// The limits of an integer type.
pub(crate) trait Bounded {
    /// The least number.
    const MIN: Self;
    /// The greatest number.
    const MAX: Self;
}

macro_rules! bounded {
    ($($type:ty),*) => {
        $(impl Bounded for $type {
            const MIN: Self = <$type>::MIN;
            const MAX: Self = <$type>::MAX;
        })*
    };
}

bounded!(u8, u16, u32, u64, usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_names_the_range() {
        assert_eq!(whole(1..=100_u32)("7"), Ok(7));
        for text in ["deep", "-1", "0", "101", "", "99999999999999999999"] {
            assert_eq!(
                whole(1..=100_u32)(text),
                Err("expected a whole number from 1 to 100".into()),
                "{text}"
            );
        }
        assert_eq!(whole(1..=u64::MAX)("x"), Err("expected a whole number of at least 1".into()));
        assert_eq!(whole(0..=u64::MAX)("x"), Err("expected a whole number".into()));
    }
}
