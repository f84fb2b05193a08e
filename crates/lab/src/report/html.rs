//! The report as one page of HTML that needs nothing else and reads well on paper, on a phone, in light and dark.

use super::json::{Compared, FirstMove, GameReport, Number, PieceReport, Unit, Verdict};
use super::{boards, charts, json};
use lozenge_picture::{Drawings, PieceSet, Side, has_glyph, sprite_with, symbol_id};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use std::fmt::Write as _;
use std::sync::Arc;

const PAGE: &str = include_str!("page.html");

/// Rows of the table of first moves that are always seen.
const MOVES_SHOWN: usize = 8;

/// The page of a report on this game, some of whose pieces may have pictures that users have drawn.
#[must_use]
pub fn html(variant: &Arc<Variant>, report: &GameReport, drawings: &Drawings) -> String {
    let start = AnyPosition::start(variant);
    let mut body = String::new();
    head(&mut body, variant, report, &boards::start(&start, drawings));
    results(&mut body, report);
    course(&mut body, report);
    pieces(&mut body, report, drawings);
    first_moves(&mut body, report);
    maps(&mut body, report, &start);
    thinking(&mut body, report);
    comparison(&mut body, report);
    method(&mut body, variant, report);
    let names = report.pieces.iter().map(|piece| piece.picture.as_str());
    // A game of a site is known elsewhere by its file alone.
    let game = if variant.id() == report.game && library::game(&report.game).is_some() {
        report.game.as_str()
    } else {
        "FILE"
    };
    let command = format!(
        "lozenge lab report {} --games {} --nodes {} --level {} --seed {}",
        game, report.plan.games, report.plan.nodes, report.plan.level, report.plan.seed
    );
    // Before the body, which quotes texts of the game's file.
    PAGE.replace("{{NAME}}", &escaped(&report.name))
        .replace("{{PROGRAM}}", &escaped(&report.program))
        .replace("{{COMMAND}}", &escaped(&command))
        .replace("{{RULES}}", &escaped(&report.rules))
        .replace("{{SPRITE}}", &sprite_with(PieceSet::Classic, names, drawings))
        .replace("{{BODY}}", &body)
}

/// A text as it stands in the page.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No text of a file is taken for a place of the page.
            '{' => out.push_str("&#123;"),
            c => out.push(c),
        }
        out
    })
}

fn head(body: &mut String, variant: &Variant, report: &GameReport, start: &str) {
    let by = match (variant.author(), variant.year()) {
        ("", _) => String::new(),
        (author, None) => format!(" by {}", escaped(author)),
        (author, Some(year)) => format!(" by {}, {year}", escaped(author)),
    };
    let _ = write!(
        body,
        "<header><div><p class=\"over\">Balance report</p><h1>{}</h1><p class=\"lead\">A game{by} on {} squares. {} games of \
         the engine against itself, {} nodes a move, no two alike.</p></div>{}</header>",
        escaped(&report.name),
        report.squares,
        grouped(u64::from(report.games[0])),
        grouped(report.plan.nodes),
        start
    );
    body.push_str("<section class=\"cards\">");
    for key in
        ["white-score", "draws", "length", "legal-moves", "lead-changes", "decided-at", "sharpness", "depth"]
    {
        if let Some(number) = report.number(key) {
            let _ = write!(
                body,
                "<div class=\"card\"><div class=\"name\">{}{}</div><div class=\"big\">{} <small>{}</small></div><p>{}</p></div>",
                escaped(&number.name),
                word(number.verdict),
                value(number),
                range(number),
                escaped(&number.meaning)
            );
        }
    }
    body.push_str("</section>");
}

fn word(verdict: Option<Verdict>) -> String {
    let Some(verdict) = verdict else { return String::new() };
    let class = match verdict {
        Verdict::Level | Verdict::AsChess | Verdict::Balanced => " good",
        Verdict::Unfair => " bad",
        Verdict::NotKnown => " none",
        Verdict::Marked | Verdict::Sharp | Verdict::Drawish => "",
    };
    format!("<span class=\"word{class}\">{}</span>", verdict.word())
}

/// A value in its unit.
fn in_unit(unit: Unit, value: Option<f64>) -> String {
    match (unit, value) {
        (_, None) => "–".into(),
        (Unit::Share, Some(value)) => format!("{:.1}%", value * 100.0),
        (Unit::Elo, Some(value)) => format!("{value:+.0}").replace('-', "−"),
        (Unit::Plies, Some(value)) => format!("{:.0}", value / 2.0),
        (Unit::Count, Some(value)) if value.abs() >= 100.0 => format!("{value:.0}"),
        (Unit::Count, Some(value)) => format!("{value:.1}"),
    }
}

fn value(number: &Number) -> String {
    let unit = match number.unit {
        Unit::Elo => " Elo",
        Unit::Plies => " moves",
        Unit::Share | Unit::Count => "",
    };
    in_unit(number.unit, number.value) + unit
}

fn range(number: &Number) -> String {
    match (number.low, number.high) {
        (None, None) => String::new(),
        (low, None) => format!("at least {}", in_unit(number.unit, low)),
        (None, high) => format!("at most {}", in_unit(number.unit, high)),
        (low, high) => format!("{} to {}", in_unit(number.unit, low), in_unit(number.unit, high)),
    }
}

/// Rows with name, value, interval and sentence.
fn table(body: &mut String, report: &GameReport, wanted: impl Fn(&str) -> bool) {
    body.push_str(
        "<table class=\"numbers\"><thead><tr><th>Number</th><th>Value</th><th>95% interval</th><th>Meaning</th></tr></thead><tbody>",
    );
    for number in report.numbers.iter().filter(|number| wanted(&number.key)) {
        let track = match (number.unit, number.value, number.low, number.high) {
            (Unit::Share, Some(value), Some(low), Some(high)) => format!(
                "<span class=\"track\" style=\"--l:{:.1}%;--h:{:.1}%;--v:{:.1}%\"><i></i><b></b></span>",
                low * 100.0,
                high * 100.0,
                value * 100.0
            ),
            _ => String::new(),
        };
        let _ = write!(
            body,
            "<tr><td>{} {}</td><td>{}</td><td><span class=\"range\">{}</span>{track}</td><td>{}</td></tr>",
            escaped(&number.name),
            word(number.verdict),
            value(number),
            range(number),
            escaped(&number.meaning)
        );
    }
    body.push_str("</tbody></table>");
}

fn results(body: &mut String, report: &GameReport) {
    body.push_str("<section><h2>Results</h2>");
    for (suffix, title) in [
        ("", format!("Full strength, {} nodes a move", grouped(report.plan.nodes))),
        ("-weak", format!("Level {}, rated about {}", report.plan.level, report.limits.ratings[0])),
    ] {
        let of = |key: &str| report.number(&format!("{key}{suffix}")).and_then(|number| number.value);
        let (Some(score), Some(draws)) = (of("white-score"), of("draws")) else { continue };
        let (white, black) = (score - draws / 2.0, 1.0 - score - draws / 2.0);
        let _ = write!(body, "<h3>{title}</h3><div class=\"bar\">");
        for (class, name, share) in [("w", "White", white), ("d", "draws", draws), ("b", "Black", black)] {
            let share = share.max(0.0) * 100.0;
            let text = if share >= 20.0 { format!("{name} {share:.0}%") } else { String::new() };
            let _ = write!(
                body,
                "<span class=\"{class}\" style=\"width:{share:.2}%\" title=\"{name} {share:.1}%\">{text}</span>"
            );
        }
        body.push_str("</div>");
    }
    table(body, report, |key| {
        key.starts_with("white-score") || key.starts_with("draws") || key.starts_with("ending-")
    });
    body.push_str("</section>");
}

fn figure(body: &mut String, drawn: Option<String>, caption: &str) {
    if let Some(drawn) = drawn {
        let _ = write!(body, "<figure class=\"wide\">{drawn}<figcaption>{caption}</figcaption></figure>");
    }
}

fn course(body: &mut String, report: &GameReport) {
    body.push_str("<section><h2>Course of the game</h2><div class=\"two\">");
    figure(body, charts::lengths(&report.series), "How long the games are.");
    figure(
        body,
        charts::lead(&report.series),
        "How far the leader is ahead as the game goes on. A curve that rises late is a game that stays open.",
    );
    figure(
        body,
        charts::legal_moves(&report.series),
        "Moves to choose from: the mean, and the range of the middle half of the games.",
    );
    body.push_str("</div>");
    table(body, report, |key| {
        [
            "length",
            "length-mean",
            "legal-moves",
            "tree-size",
            "lead-changes",
            "decided-at",
            "drama",
            "board-use",
            "sharpness",
        ]
        .contains(&key)
    });
    body.push_str("</section>");
}

fn piece_name(piece: &PieceReport, drawings: &Drawings) -> String {
    let is_drawn = has_glyph(&piece.picture) || drawings.get(&piece.picture).is_some();
    let drawn = if is_drawn {
        format!(
            "<svg viewBox=\"0 0 100 100\" aria-hidden=\"true\"><use href=\"#{}\"/></svg>",
            symbol_id(&piece.picture, Side::First)
        )
    } else {
        format!("<b>{}</b>", escaped(&piece.letter.to_string()))
    };
    format!("<span class=\"piece\">{drawn}{}</span>", escaped(&piece.name))
}

fn pieces(body: &mut String, report: &GameReport, drawings: &Drawings) {
    body.push_str(
        "<section><h2>Pieces</h2><p>What the pieces do in a game, both sides together, and what they are worth in pawns.</p>\
         <div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table><thead><tr><th>Piece</th><th class=\"num\">At the start</th><th class=\"num\">Moves</th>\
         <th class=\"num\">Captures</th><th class=\"num\">Captured</th><th class=\"num\">Promoted to</th>\
         <th class=\"num\">Derived</th><th class=\"num\">Engine</th><th class=\"num\">Fitted</th></tr></thead><tbody>",
    );
    let pawns = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
    for piece in &report.pieces {
        let fitted = piece.fitted.map_or("–".to_owned(), |[value, low, high]| {
            format!("{value:.1} <small>{low:.1} to {high:.1}</small>")
        });
        let lost = piece.lost.map_or("–".to_owned(), |lost| format!("{:.0}%", lost * 100.0));
        let _ = write!(
            body,
            "<tr><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{:.1}</td><td class=\"num\">{:.1}</td>\
             <td class=\"num\">{lost}</td><td class=\"num\">{:.2}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>\
             <td class=\"num\">{fitted}</td></tr>",
            piece_name(piece, drawings),
            piece.at_start,
            piece.moves,
            piece.captures,
            piece.promoted_to,
            pawns(piece.derived),
            pawns(piece.engine),
        );
    }
    body.push_str("</tbody></table></div>");
    let chart = charts::values(&report.pieces);
    if chart.is_none() {
        body.push_str("<p>Too few games had unequal pieces in quiet positions to fit values to them.</p>");
    }
    figure(
        body,
        chart,
        "<span class=\"key\" style=\"background:var(--pale)\"></span>derived from the moves\
         <span class=\"key\" style=\"background:var(--plot)\"></span>fitted to the results, with its 95% interval",
    );
    body.push_str(
        "<p><b>Derived</b> values follow from how many squares a piece reaches, before any game is played. <b>Fitted</b> values are those \
         with which material predicts the results best, on a scale on which an army is worth the same. The engine trades pieces by \
         its own values, which pulls the fitted ones towards them; intervals that overlap say that two values may be equal.</p></section>",
    );
}

fn first_moves(body: &mut String, report: &GameReport) {
    if report.first_moves.is_empty() {
        return;
    }
    let few = report.first_moves.iter().any(|first| first.few);
    let _ = write!(
        body,
        "<section><h2>First moves</h2><p>What the engine expects of each first move, and how the games went that began with it. \
         The first moves were drawn by lot, so their number says nothing; scores are drawn towards the mean of all games, the \
         fewer games the more.{}</p>",
        if few { " Moves with fewer than 30 games are printed pale." } else { "" }
    );
    let (shown, hidden) = report.first_moves.split_at(MOVES_SHOWN.min(report.first_moves.len()));
    moves_table(body, shown);
    if !hidden.is_empty() {
        let _ = write!(body, "<details><summary>{} more moves</summary>", hidden.len());
        moves_table(body, hidden);
        body.push_str("</details>");
    }
    body.push_str("</section>");
}

fn moves_table(body: &mut String, moves: &[FirstMove]) {
    body.push_str(
        "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table class=\"moves\"><thead><tr><th>Move</th><th class=\"num\">Engine expects</th><th class=\"num\">Games</th>\
         <th class=\"num\">White's score</th><th>95% interval</th></tr></thead><tbody>",
    );
    for first in moves {
        let [score, low, high] = first.score.map(|value| value * 100.0);
        let _ = write!(
            body,
            "<tr{}><td>{}</td><td class=\"num\">{:.0}%</td><td class=\"num\">{}</td><td class=\"num\">{score:.0}%</td>\
             <td><span class=\"track\" style=\"--l:{low:.1}%;--h:{high:.1}%;--v:{score:.1}%\" title=\"{low:.0}% to {high:.0}%\">\
             <i></i><b></b></span></td></tr>",
            if first.few { " class=\"few\"" } else { "" },
            escaped(&first.san),
            first.expected * 100.0,
            first.games
        );
    }
    body.push_str("</tbody></table></div>");
}

fn maps(body: &mut String, report: &GameReport, start: &AnyPosition) {
    let maps = &report.heat_maps;
    body.push_str(
        "<section><h2>The board</h2><p>The darker a square, the more happens there.</p><div class=\"three\">",
    );
    for (title, values, shown, caption) in [
        (
            "Traffic",
            &maps.arrivals,
            &(|v: f64| format!("{v:.1} arrivals a game")) as &dyn Fn(f64) -> String,
            "Where pieces arrive.",
        ),
        (
            "Mobility",
            &maps.mobility,
            &|v: f64| format!("{v:.1} legal moves a position"),
            "Where pieces could go.",
        ),
        (
            "Endings",
            &maps.endings,
            &|v: f64| format!("{:.1}% of the won games", v * 100.0),
            "Where won games end: where the mated King stands, or the goal that was reached.",
        ),
    ] {
        if values.iter().any(|&value| value > 0.0) {
            let _ = write!(
                body,
                "<figure><h3>{title}</h3>{}<figcaption>{caption}</figcaption></figure>",
                boards::heat(start, title, values, shown)
            );
        }
    }
    body.push_str("</div></section>");
}

fn thinking(body: &mut String, report: &GameReport) {
    body.push_str(
        "<section><h2>Does thinking help?</h2><p>The engine against itself with more nodes, each opening twice with colors \
         changed. In a deep game more thinking keeps winning; in a shallow one both sides soon see all there is.</p>",
    );
    table(body, report, |key| ["doubling", "depth"].contains(&key));
    body.push_str("</section>");
}

fn comparison(body: &mut String, report: &GameReport) {
    let shipped = json::shipped();
    if shipped.is_empty() {
        return;
    }
    let own = report.compared();
    let rows = std::iter::once(&own).chain(shipped.iter().filter(|other| other.game != own.game));
    body.push_str(
        "<section><h2>Beside other games</h2><div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table><thead><tr><th>Game</th><th class=\"num\">White</th>\
         <th class=\"num\">Draws</th><th class=\"num\">Length</th><th class=\"num\">Moves</th><th class=\"num\">Lead changes</th>\
         <th class=\"num\">Decided at</th><th class=\"num\">Sharp</th><th class=\"num\">4× nodes</th></tr></thead><tbody>",
    );
    for (at, row) in rows.enumerate() {
        let class = if at == 0 { " class=\"this\"" } else { "" };
        let _ = write!(
            body,
            "<tr{class}><td>{}<br><small>{} games, {} nodes</small></td>",
            escaped(&row.name),
            grouped(u64::from(row.games)),
            grouped(row.nodes)
        );
        for (key, unit) in [
            ("white-score", Unit::Share),
            ("draws", Unit::Share),
            ("length", Unit::Plies),
            ("legal-moves", Unit::Count),
            ("lead-changes", Unit::Count),
            ("decided-at", Unit::Share),
            ("sharpness", Unit::Share),
            ("depth", Unit::Elo),
        ] {
            body.push_str(&compared(row, key, unit));
        }
        body.push_str("</tr>");
    }
    body.push_str("</tbody></table></div></section>");
}

fn compared(row: &Compared, key: &str, unit: Unit) -> String {
    let Some(&[value, low, high]) = row.numbers.get(key) else { return "<td class=\"num\">–</td>".into() };
    let error = match (low, high) {
        (Some(low), Some(high)) => {
            let half = Some((high - low) / 2.0);
            format!("<br><small>±{}</small>", in_unit(unit, half).replace('+', ""))
        }
        _ => String::new(),
    };
    format!("<td class=\"num\">{}{error}</td>", in_unit(unit, value))
}

fn method(body: &mut String, variant: &Variant, report: &GameReport) {
    let [random, chosen] = report.limits.opening_plies;
    let [full, weak, double, quadruple] = report.games;
    let starts = match variant.starts().len() {
        1 => String::new(),
        count => format!(" The {count} starting positions take turns."),
    };
    let _ = write!(
        body,
        "<section><h2>Method and limits</h2><div class=\"method\">\
         <p><b>Openings.</b> {random} random plies, then {chosen} drawn by lot among the engine's moves, the better the likelier. An \
         opening counts if it changes the score of the start by less than a pawn, so that an advantage of the start stays in the \
         games.{starts}</p>\
         <p><b>Games.</b> {} at {} nodes a move, {} at level {} (about {} on the engine's own scale, where full strength is {}), {} \
         with twice and {} with four times the nodes. Equal engines repeat themselves, so games alike count once; {} were left out. \
         No game is adjudicated; draws that a player could claim are claimed.</p>\
         <p><b>Intervals.</b> They contain the true value in 95 of 100 such reports. Shares: Wilson. Scores: normal. Medians: order statistics. \
         The others: whole games drawn anew. A word such as “level” is printed only if the whole interval deserves it.</p>\
         <p><b>Expected score.</b> A logistic function of the engine's score, fitted to these games: a pawn ahead is {:.0}%.</p>\
         <p><b>Values.</b> Logistic regression of the results on the pieces in {} quiet positions, each game counted once, drawn \
         towards the derived values.</p>\
         <p><b>Limits.</b> These are games of one engine with little time. Stronger players score more with the same advantage and draw \
         more; people tire, know theory and like other positions. A number of this page compares games at equal strength; it is no \
         law of nature.</p></div></section>",
        grouped(u64::from(full)),
        grouped(report.plan.nodes),
        grouped(u64::from(weak)),
        report.plan.level,
        report.limits.ratings[0],
        report.limits.ratings[1],
        grouped(u64::from(double)),
        grouped(u64::from(quadruple)),
        report.limits.repeated,
        100.0 / (1.0 + (-report.limits.slope).exp()),
        grouped(u64::from(report.limits.positions)),
    );
}

/// A whole number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
