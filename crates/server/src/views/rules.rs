//! A game's rules as a page: the manual's drawings in letters are pictures here, or live boards. Not here: the
//! sentences (`lozenge-explain`).

use super::{LocalizedText, PageFrame};
use lozenge_explain::document::{Document, Part, PieceEntry, Subject};
use lozenge_explain::text::{Mark, Text};
use lozenge_picture::BoardView;
use lozenge_rules::position::{AnyPosition, Color};
use lozenge_rules::variant::{MultiVariant, Variant};
use std::fmt::Write as _;
use std::sync::Arc;

/// The data of a game's page.
pub(super) struct RulesText {
    /// The chapters but for what is shown otherwise: the drawings of the starts, the legend of the drawings in letters,
    /// the readings.
    pub(super) document: Document<String>,
    /// A legend of the drawings, for pages without script.
    pub(super) legend: String,
    /// The marks that the boards use, by the names that the script knows.
    pub(super) marks: String,
    /// The starts beyond the first, by number and name.
    pub(super) starts: Vec<(usize, String)>,
    /// How far each square is from White's camp, as a picture, in games where that matters.
    pub(super) distances: Option<String>,
}

impl RulesText {
    pub(super) fn new(frame: &PageFrame, variant: &Arc<Variant>) -> Self {
        let language = frame.texts.of_rules();
        let named = |(number, start): (usize, &lozenge_rules::variant::Start)| {
            let LocalizedText { text, .. } =
                frame.localized(language.start_name(variant.id(), number), &start.name);
            (number, text)
        };
        let starts = variant.starts();
        let starts = if starts.len() > 1 && !variant.is_shuffled() {
            starts.iter().enumerate().map(named).collect()
        } else {
            Vec::new()
        };
        let distances = variant.distances().map(|_| distances(variant));
        let document = lozenge_explain::document(variant);
        Self { starts, distances, ..Self::of_document(frame, variant.id(), document) }
    }

    /// The rules of a game of four.
    pub(super) fn of_four(frame: &PageFrame, game: &MultiVariant) -> Self {
        Self::of_document(frame, game.id(), lozenge_explain::multi_document(game))
    }

    fn of_document(frame: &PageFrame, id: &str, mut document: Document<Text>) -> Self {
        let language = frame.texts.of_rules();
        let mut legend = Vec::new();
        for chapter in &mut document.chapters {
            chapter.parts.retain(|part| match part {
                Part::Paragraph(sentences) => {
                    legend.extend(sentences.iter().find(|text| matches!(text, Text::Legend { .. })).cloned());
                    !sentences.iter().any(|text| matches!(text, Text::Legend { .. }))
                }
                Part::Drawing(drawing) => matches!(drawing.caption, Text::Distances),
                _ => true,
            });
            for part in &mut chapter.parts {
                if let Part::Paragraph(sentences) = part {
                    // They stand below the picture, on which sides have colors.
                    sentences.retain(|text| !matches!(text, Text::Start(_) | Text::Capitals));
                }
            }
            chapter.parts.retain(|part| !matches!(part, Part::Paragraph(sentences) if sentences.is_empty()));
        }
        document.chapters.retain(|chapter| chapter.subject != Subject::Readings);
        Self {
            legend: legend.iter().map(|text| language.text(id, text)).collect(),
            marks: marks(&legend),
            starts: Vec::new(),
            distances: None,
            document: document.map(|text| language.text(id, text)),
        }
    }
}

/// The squares on which a piece is drawn, with the caption of each.
pub(super) fn squares(piece: &PieceEntry<String>) -> String {
    piece.diagrams.iter().filter_map(|diagram| diagram.from.clone()).collect::<Vec<_>>().join(" ")
}

fn marks(legend: &[Text]) -> String {
    let all = legend.iter().flat_map(|text| match text {
        Text::Legend { marks, .. } => marks.clone(),
        _ => Vec::new(),
    });
    let names = all.filter_map(|mark| match mark {
        Mark::Either => Some("both"),
        Mark::Quiet => Some("move"),
        Mark::Capture => Some("capture"),
        Mark::First => Some("first"),
        Mark::Over => Some("over"),
        Mark::Blocker | Mark::Victim => None,
    });
    names.collect::<Vec<_>>().join(" ")
}

/// How large a cell is drawn, so that there is a gap between two.
const CELL_PART: f64 = 0.94;

/// The distance of each square from White's camp: the nearer, the darker, and the number on it. The board is laid out as in all
/// pictures.
fn distances(variant: &Arc<Variant>) -> String {
    let view = BoardView { ghosts: false, coordinates: false, ..BoardView::of(variant) };
    let cells = lozenge_picture::scene(&AnyPosition::start(variant), &view).cells;
    let corners = || cells.iter().flat_map(|cell| cell.corners.iter());
    let bounds = |axis: fn(&(f64, f64)) -> f64| {
        let least = corners().map(axis).fold(f64::INFINITY, f64::min);
        (least, corners().map(axis).fold(f64::NEG_INFINITY, f64::max) - least)
    };
    let ((left, width), (top, height)) = (bounds(|at| at.0), bounds(|at| at.1));
    let white = variant.distances().map(|both| &both[Color::White]);
    let far = white.and_then(|distances| distances.iter().max()).copied().unwrap_or(1).max(1);
    let mut picture = format!(
        "<svg class=\"distances\" viewBox=\"{left:.3} {top:.3} {width:.3} {height:.3}\" aria-hidden=\"true\" \
         text-anchor=\"middle\" font-size=\".5\">"
    );
    for (square, cell) in variant.shape().squares().zip(&cells) {
        let distance = white.map_or(0, |distances| distances[square.index()]);
        let (x, y) = cell.center;
        let strength = 0.62 * (1.0 - f64::from(distance) / f64::from(far));
        let inside = |(at_x, at_y): &(f64, f64)| (x + CELL_PART * (at_x - x), y + CELL_PART * (at_y - y));
        let corners: Vec<String> =
            (cell.corners.iter().map(inside)).map(|(at_x, at_y)| format!("{at_x:.3},{at_y:.3}")).collect();
        // Writing into a string cannot fail.
        let _ = write!(
            picture,
            "<polygon points=\"{}\" fill-opacity=\"{strength:.2}\"/><text x=\"{x:.3}\" y=\"{:.3}\">{distance}</text>",
            corners.join(" "),
            y + 0.17
        );
    }
    picture + "</svg>"
}
