//! Tables on standard output, with times in UTC.

use jiff::Timestamp;

/// A day in milliseconds.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Rows under a row of titles, every column but the last as wide as it has to be.
pub(super) fn lines<const N: usize>(
    titles: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    let rows: Vec<[String; N]> = std::iter::once(titles.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N - 1).map(width).collect();
    let line = |row: &[String; N]| {
        let cells: String =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}  ")).collect();
        cells + &row[N - 1]
    };
    rows.iter().map(line).collect()
}

/// A time to the minute.
pub(super) fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map(|at| at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}
