//! The report as one page of HTML that needs nothing else and reads well on paper, on a phone, in light and dark.

use super::json::{Assessment, Compared, FirstMove, GameReport, Number, PieceReport, Unit};
use super::words::Words;
use super::{charts, json};
use lozenge_explain::Language;
use lozenge_picture::{Drawings, PieceSet, Side, has_glyph, sprite_with, symbol_id};
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use std::fmt::Write as _;
use std::sync::Arc;

const PAGE: &str = include_str!("page.html");

/// The style of an [`article`].
pub const STYLE: &str = include_str!("report.css");

/// Rows of the table of first moves that are always seen.
const MOVES_SHOWN: usize = 8;

/// The title of a report's page.
#[must_use]
pub fn title(report: &GameReport, language: Language) -> String {
    Words(language).message("page-title", &[("game", &report.name)])
}

/// The page of a report on this game, some of whose pieces may have pictures that users have drawn.
#[must_use]
pub fn html(variant: &Arc<Variant>, report: &GameReport, drawings: &Drawings, language: Language) -> String {
    // Before the article, which quotes texts of the game's file.
    PAGE.replace("{{LANGUAGE}}", language.code())
        .replace("{{TITLE}}", &escaped(&title(report, language)))
        .replace("{{STYLE}}", STYLE)
        .replace("{{ARTICLE}}", &article(variant, report, drawings, language))
}

/// The same without the page around it, for a page with [`STYLE`].
#[must_use]
pub fn article(
    variant: &Arc<Variant>,
    report: &GameReport,
    drawings: &Drawings,
    language: Language,
) -> String {
    let w = Words(language);
    let start = AnyPosition::start(variant);
    let mut body = String::new();
    let title = w.message("start-of", &[("game", variant.name())]);
    head(&mut body, w, variant, report, &charts::start_board(&start, title, drawings));
    results(&mut body, w, report);
    course(&mut body, w, report);
    pieces(&mut body, w, report, drawings);
    first_moves(&mut body, w, report);
    maps(&mut body, w, report, &start);
    thinking(&mut body, w, report);
    comparison(&mut body, w, report);
    method(&mut body, w, variant, report);
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
    let made_by = [
        ("program", escaped(&report.program)),
        ("command", escaped(&command)),
        ("rules", escaped(&report.rules)),
    ];
    let made_by = made_by.each_ref().map(|(name, text)| (*name, text.as_str()));
    let made_by = w.message("made-by", &made_by);
    let sprite = sprite_with(PieceSet::Classic, names, drawings);
    format!(
        "<div class=\"report-sprite\" aria-hidden=\"true\">{sprite}</div>\n\
         <div class=\"report\">\n{body}\n<footer>{made_by}</footer>\n</div>"
    )
}

/// A text as it stands in the page.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No text of a file is taken for a placeholder of the page.
            '{' => out.push_str("&#123;"),
            c => out.push(c),
        }
        out
    })
}

fn head(body: &mut String, w: Words, variant: &Variant, report: &GameReport, start: &str) {
    let author = escaped(variant.author());
    let by = match (author.as_str(), variant.year()) {
        ("", _) => String::new(),
        (author, None) => format!(" {}", w.message("by-author", &[("author", author)])),
        (author, Some(year)) => {
            format!(" {}", w.message("by-author-year", &[("author", author), ("year", &year.to_string())]))
        }
    };
    let lead = w.message(
        "lead",
        &[
            ("by", &by),
            ("squares", &report.squares.to_string()),
            ("games", &w.grouped(u64::from(report.games[0]))),
            ("nodes", &w.grouped(report.plan.nodes)),
        ],
    );
    let _ = write!(
        body,
        "<header><div><p class=\"over\">{}</p><h1>{}</h1><p class=\"lead\">{lead}</p></div>{start}</header>",
        w.get("balance-report"),
        escaped(&report.name),
    );
    body.push_str("<section class=\"figures\">");
    for key in
        ["white-score", "draws", "length", "legal-moves", "lead-changes", "decided-at", "sharpness", "depth"]
    {
        if let Some(number) = report.number(key) {
            let _ = write!(
                body,
                "<div class=\"figure\"><div class=\"name\">{}{}</div><div class=\"big\">{} <small>{}</small></div><p>{}</p></div>",
                w.name(key),
                word(w, number.verdict),
                value(w, number),
                range(w, number),
                w.meaning(number, &report.plan)
            );
        }
    }
    body.push_str("</section>");
}

fn word(w: Words, verdict: Option<Assessment>) -> String {
    // An interval that is too wide for a word speaks for itself.
    let Some(verdict) = verdict.filter(|verdict| *verdict != Assessment::NotKnown) else {
        return String::new();
    };
    let class = match verdict {
        Assessment::Level | Assessment::AsChess | Assessment::Balanced => " good",
        Assessment::Unfair => " bad",
        Assessment::NotKnown | Assessment::Marked | Assessment::Sharp | Assessment::Drawish => "",
    };
    format!("<span class=\"word{class}\">{}</span>", w.get(&format!("word-{}", verdict.key())))
}

fn value(w: Words, number: &Number) -> String {
    let text = w.in_unit(number.unit, number.value);
    match number.unit {
        Unit::Elo => w.message("in-elo", &[("number", &text)]),
        Unit::Plies => w.message("in-moves", &[("number", &text)]),
        Unit::Share | Unit::Count => text,
    }
}

fn range(w: Words, number: &Number) -> String {
    let [low, high] = [number.low, number.high].map(|end| w.in_unit(number.unit, end));
    match (number.low, number.high) {
        (None, None) => String::new(),
        (_, None) => w.message("at-least", &[("number", &low)]),
        (None, _) => w.message("at-most", &[("number", &high)]),
        _ => w.message("between", &[("low", &low), ("high", &high)]),
    }
}

/// The opening of a table with these columns; those with a class are columns of numbers.
fn open_table(body: &mut String, w: Words, class: &str, columns: &[(&str, &str)]) {
    let _ = write!(body, "<table{class}><thead><tr>");
    for (key, class) in columns {
        let _ = write!(body, "<th{class}>{}</th>", w.get(key));
    }
    body.push_str("</tr></thead><tbody>");
}

/// The same in a region that scrolls where it is too wide.
fn open_wide_table(body: &mut String, w: Words, class: &str, columns: &[(&str, &str)]) {
    let label = w.get("table");
    let _ = write!(body, "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">");
    open_table(body, w, class, columns);
}

/// The class of a column of numbers.
const NUM: &str = " class=\"num\"";

/// Rows with name, value, interval and sentence.
fn table(body: &mut String, w: Words, report: &GameReport, is_included: impl Fn(&str) -> bool) {
    let columns =
        [("column-number", ""), ("column-value", ""), ("column-interval", ""), ("column-meaning", "")];
    open_table(body, w, " class=\"numbers\"", &columns);
    for number in report.numbers.iter().filter(|number| is_included(&number.key)) {
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
            w.name(&number.key),
            word(w, number.verdict),
            value(w, number),
            range(w, number),
            w.meaning(number, &report.plan)
        );
    }
    body.push_str("</tbody></table>");
}

fn results(body: &mut String, w: Words, report: &GameReport) {
    let _ = write!(body, "<section><h2>{}</h2>", w.get("results"));
    let (level, rating) = (report.plan.level.to_string(), report.limits.ratings[0].to_string());
    for (suffix, title) in [
        ("", w.message("full-strength", &[("nodes", &w.grouped(report.plan.nodes))])),
        ("-weak", w.message("weaker", &[("level", &level), ("rating", &rating)])),
    ] {
        let of = |key: &str| report.number(&format!("{key}{suffix}")).and_then(|number| number.value);
        let (Some(score), Some(draws)) = (of("white-score"), of("draws")) else { continue };
        let (white, black) = (score - draws / 2.0, 1.0 - score - draws / 2.0);
        let _ = write!(body, "<h3>{title}</h3><div class=\"bar\">");
        for (class, name, share) in [("w", "white", white), ("d", "draws", draws), ("b", "black", black)] {
            let (name, share) = (w.get(name), share.max(0.0));
            let text = match share {
                0.2.. => format!("{name} {}", w.share(share, 0)),
                0.08.. => w.share(share, 0),
                _ => String::new(),
            };
            let _ = write!(
                body,
                "<span class=\"{class}\" style=\"width:{:.2}%\" title=\"{name} {}\">{text}</span>",
                share * 100.0,
                w.share(share, 1)
            );
        }
        body.push_str("</div>");
    }
    table(body, w, report, |key| {
        key.starts_with("white-score") || key.starts_with("draws") || key.starts_with("ending-")
    });
    body.push_str("</section>");
}

fn figure(body: &mut String, drawn: Option<String>, caption: &str) {
    if let Some(drawn) = drawn {
        let _ = write!(body, "<figure class=\"wide\">{drawn}<figcaption>{caption}</figcaption></figure>");
    }
}

fn course(body: &mut String, w: Words, report: &GameReport) {
    let _ = write!(body, "<section><h2>{}</h2><div class=\"two\">", w.get("course"));
    figure(body, charts::lengths(w, &report.series), &w.get("caption-lengths"));
    figure(body, charts::lead(w, &report.series), &w.get("caption-lead"));
    figure(body, charts::legal_moves(w, &report.series), &w.get("caption-legal"));
    body.push_str("</div>");
    table(body, w, report, |key| {
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

fn piece_name(w: Words, piece: &PieceReport, drawings: &Drawings) -> String {
    let is_drawn = has_glyph(&piece.picture) || drawings.get(&piece.picture).is_some();
    let drawn = if is_drawn {
        format!(
            "<svg viewBox=\"0 0 100 100\" aria-hidden=\"true\"><use href=\"#{}\"/></svg>",
            symbol_id(&piece.picture, Side::First)
        )
    } else {
        format!("<b>{}</b>", escaped(&piece.letter.to_string()))
    };
    let name = w.0.piece_name(&piece.name).unwrap_or_else(|| piece.name.clone());
    format!("<span class=\"piece\">{drawn}{}</span>", escaped(&name))
}

/// A value with the ends of its interval below it, if they are known.
fn with_range(w: Words, value: String, ends: Option<[f64; 2]>, text: impl Fn(f64) -> String) -> String {
    let Some([low, high]) = ends.map(|ends| ends.map(text)) else { return value };
    format!("{value}<br><small>{}</small>", w.message("between", &[("low", &low), ("high", &high)]))
}

fn pieces(body: &mut String, w: Words, report: &GameReport, drawings: &Drawings) {
    let _ = write!(body, "<section><h2>{}</h2><p>{}</p>", w.get("pieces"), w.get("pieces-lead"));
    let columns = ["at-start", "moves", "captures", "captured", "promoted", "derived", "engine", "fitted"];
    let columns = columns.map(|name| format!("column-{name}"));
    let numbers = columns.iter().map(|key| (key.as_str(), NUM));
    let columns: Vec<_> = std::iter::once(("column-piece", "")).chain(numbers).collect();
    open_wide_table(body, w, "", &columns);
    let pawns = |value: Option<f64>| value.map_or("–".to_owned(), |value| w.decimal(value, 1));
    for piece in &report.pieces {
        let fitted = piece.fitted.map(|[value, low, high]| {
            let decimal = |value| w.decimal(value, 1);
            with_range(w, decimal(value), Some([low, high]), decimal)
        });
        let own = piece.intervals.as_ref();
        let counted = |value: f64, ends: Option<[f64; 2]>, digits: usize| {
            with_range(w, w.decimal(value, digits), ends, |end| w.decimal(end, digits))
        };
        let lost = piece
            .lost
            .map(|lost| with_range(w, w.share(lost, 0), own.and_then(|own| own.lost), |end| w.share(end, 0)));
        let none = || "–".to_owned();
        let cells = [
            piece.at_start.to_string(),
            counted(piece.moves, own.map(|own| own.moves), 1),
            counted(piece.captures, own.map(|own| own.captures), 1),
            lost.unwrap_or_else(none),
            counted(piece.promoted_to, own.map(|own| own.promoted_to), 2),
            pawns(piece.derived),
            pawns(piece.engine),
            fitted.unwrap_or_else(none),
        ];
        let _ = write!(body, "<tr><td>{}</td>", piece_name(w, piece, drawings));
        for cell in cells {
            let _ = write!(body, "<td class=\"num\">{cell}</td>");
        }
        body.push_str("</tr>");
    }
    body.push_str("</tbody></table></div>");
    let _ = write!(body, "<p>{}", w.get("pieces-explained"));
    if report.pieces.iter().any(|piece| piece.intervals.is_some()) {
        let _ = write!(body, " {}", w.get("pieces-intervals"));
    }
    body.push_str("</p>");
    let chart = charts::values(w, &report.pieces);
    if chart.is_none() {
        let _ = write!(body, "<p>{}</p>", w.get("few-positions"));
    }
    let key = |color: &str| format!("<span class=\"key\" style=\"background:var(--{color})\"></span>");
    let caption = [key("pale"), w.get("key-derived"), key("plot"), w.get("key-fitted")].concat();
    figure(body, chart, &caption);
    let _ = write!(body, "<p>{}</p></section>", w.get("values-explained"));
}

fn first_moves(body: &mut String, w: Words, report: &GameReport) {
    if report.first_moves.is_empty() {
        return;
    }
    let few = report.first_moves.iter().any(|first| first.few);
    let pale = if few { format!(" {}", w.get("first-moves-pale")) } else { String::new() };
    let (title, lead) = (w.get("first-moves"), w.get("first-moves-lead"));
    let _ = write!(body, "<section><h2>{title}</h2><p>{lead}{pale}</p>");
    let (listed, hidden) = report.first_moves.split_at(MOVES_SHOWN.min(report.first_moves.len()));
    moves_table(body, w, listed);
    if !hidden.is_empty() {
        let more = w.message("more-moves", &[("count", &hidden.len().to_string())]);
        let _ = write!(body, "<details><summary>{more}</summary>");
        moves_table(body, w, hidden);
        body.push_str("</details>");
    }
    body.push_str("</section>");
}

fn moves_table(body: &mut String, w: Words, moves: &[FirstMove]) {
    let columns = [
        ("column-move", ""),
        ("column-expects", NUM),
        ("column-games", NUM),
        ("column-score", NUM),
        ("column-interval", ""),
    ];
    open_wide_table(body, w, " class=\"moves\"", &columns);
    for first in moves {
        let [value, low, high] = first.score.map(|value| value * 100.0);
        let [score, least, most] = first.score.map(|value| w.share(value, 0));
        let _ = write!(
            body,
            "<tr{}><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{score}</td>\
             <td><span class=\"track\" style=\"--l:{low:.1}%;--h:{high:.1}%;--v:{value:.1}%\" title=\"{}\">\
             <i></i><b></b></span></td></tr>",
            if first.few { " class=\"few\"" } else { "" },
            escaped(&first.san),
            w.share(first.expected, 0),
            first.games,
            w.message("between", &[("low", &least), ("high", &most)])
        );
    }
    body.push_str("</tbody></table></div>");
}

fn maps(body: &mut String, w: Words, report: &GameReport, start: &AnyPosition) {
    let maps = &report.heat_maps;
    let (title, lead) = (w.get("board"), w.get("board-lead"));
    let _ = write!(body, "<section><h2>{title}</h2><p>{lead}</p><div class=\"three\">");
    for (name, values, format_value) in [
        (
            "traffic",
            &maps.arrivals,
            &(|v: f64| w.message("arrivals", &[("number", &w.decimal(v, 1))])) as &dyn Fn(f64) -> String,
        ),
        ("mobility", &maps.mobility, &|v: f64| w.message("moves-there", &[("number", &w.decimal(v, 1))])),
        ("endings", &maps.endings, &|v: f64| w.message("ended-there", &[("share", &w.share(v, 1))])),
    ] {
        if values.iter().any(|&value| value > 0.0) {
            let (title, caption) = (w.get(&format!("map-{name}")), w.get(&format!("caption-{name}")));
            let drawn = charts::heat_map(start, &title, values, format_value);
            let _ =
                write!(body, "<figure><h3>{title}</h3>{drawn}<figcaption>{caption}</figcaption></figure>");
        }
    }
    body.push_str("</div></section>");
}

fn thinking(body: &mut String, w: Words, report: &GameReport) {
    let _ = write!(body, "<section><h2>{}</h2><p>{}</p>", w.get("thinking"), w.get("thinking-lead"));
    table(body, w, report, |key| ["doubling", "depth"].contains(&key));
    body.push_str("</section>");
}

fn comparison(body: &mut String, w: Words, report: &GameReport) {
    let shipped = json::shipped();
    if shipped.is_empty() {
        return;
    }
    let own = report.compared();
    let rows = std::iter::once(&own).chain(shipped.iter().filter(|other| other.game != own.game));
    let _ = write!(body, "<section><h2>{}</h2>", w.get("beside"));
    let columns = [
        ("column-game", ""),
        ("column-white", NUM),
        ("column-draws", NUM),
        ("column-length", NUM),
        ("column-moves", NUM),
        ("column-changes", NUM),
        ("column-decided", NUM),
        ("column-sharp", NUM),
        ("column-depth", NUM),
    ];
    open_wide_table(body, w, "", &columns);
    for (at, row) in rows.enumerate() {
        let class = if at == 0 { " class=\"this\"" } else { "" };
        let games = [("games", w.grouped(u64::from(row.games))), ("nodes", w.grouped(row.nodes))];
        let games =
            w.message("games-and-nodes", &games.each_ref().map(|(name, text)| (*name, text.as_str())));
        let _ = write!(body, "<tr{class}><td>{}<br><small>{games}</small></td>", escaped(&row.name));
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
            body.push_str(&compared(w, row, key, unit));
        }
        body.push_str("</tr>");
    }
    body.push_str("</tbody></table></div></section>");
}

fn compared(w: Words, row: &Compared, key: &str, unit: Unit) -> String {
    let Some(&[value, low, high]) = row.numbers.get(key) else { return "<td class=\"num\">–</td>".into() };
    let error = match (low, high) {
        (Some(low), Some(high)) => {
            let half = Some((high - low) / 2.0);
            format!("<br><small>±{}</small>", w.in_unit(unit, half).replace('+', ""))
        }
        _ => String::new(),
    };
    format!("<td class=\"num\">{}{error}</td>", w.in_unit(unit, value))
}

fn method(body: &mut String, w: Words, variant: &Variant, report: &GameReport) {
    let [random, chosen] = report.limits.opening_plies.map(|plies| plies.to_string());
    let [full, weak, double, quadruple] = report.games.map(|games| w.grouped(u64::from(games)));
    let starts = match variant.starts().len() {
        1 => String::new(),
        count => format!(" {}", w.message("method-starts", &[("count", &count.to_string())])),
    };
    let [rating, best] = report.limits.ratings.map(|rating| rating.to_string());
    let games = w.message(
        "method-games",
        &[
            ("full", &full),
            ("weak", &weak),
            ("double", &double),
            ("quadruple", &quadruple),
            ("nodes", &w.grouped(report.plan.nodes)),
            ("level", &report.plan.level.to_string()),
            ("rating", &rating),
            ("best", &best),
            ("repeated", &report.limits.repeated.to_string()),
        ],
    );
    let pawn = w.share(1.0 / (1.0 + (-report.limits.slope).exp()), 0);
    let openings = w.message("method-openings", &[("random", &random), ("chosen", &chosen)]) + &starts;
    let paragraphs = [
        openings,
        games,
        w.get("method-intervals"),
        w.message("method-expected", &[("share", &pawn)]),
        w.message("method-values", &[("positions", &w.grouped(u64::from(report.limits.positions)))]),
        w.get("method-limits"),
    ];
    let _ = write!(body, "<section><h2>{}</h2><div class=\"method\">", w.get("method"));
    for paragraph in paragraphs {
        let _ = write!(body, "<p>{paragraph}</p>");
    }
    body.push_str("</div></section>");
}
