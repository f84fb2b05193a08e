//! Boards of a report: the start, and the board with its squares colored by a number.

use lozenge_picture::{BoardView, Drawings, Shade, Theme, scene, svg};
use lozenge_rules::position::AnyPosition;
use std::fmt::Write as _;

fn view(position: &AnyPosition) -> BoardView {
    BoardView { theme: Theme::Clear, ghosts: false, ..BoardView::of(position.variant()) }
}

/// The position as a picture.
pub(super) fn start(position: &AnyPosition, title: String, drawings: &Drawings) -> String {
    let view = BoardView { drawings: drawings.clone(), ..view(position) };
    let mut scene = scene(position, &view);
    scene.title = Some(title);
    svg(&scene)
}

/// The empty board, each square the darker the larger its number.
pub(super) fn heat(
    position: &AnyPosition,
    title: &str,
    values: &[f64],
    shown: &dyn Fn(f64) -> String,
) -> String {
    let mut scene = scene(position, &view(position));
    scene.pieces.clear();
    scene.check.clear();
    // One ground, so that only the number colors a square.
    scene.cells.iter_mut().for_each(|cell| cell.shade = Shade::Light);
    scene.title = Some(title.to_owned());
    let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let shape = position.variant().shape();
    let mut marks = String::from("<g class=\"heat\">");
    // Numbers of squares are those of the first cells.
    for (square, &value) in shape.squares().zip(values) {
        let cell = &scene.cells[square.index()];
        marks.push_str("<path d=\"");
        for (number, (x, y)) in cell.corners.iter().enumerate() {
            let _ = write!(marks, "{}{x:.3} {y:.3}", if number == 0 { 'M' } else { 'L' });
        }
        let _ = write!(
            marks,
            "z\" fill-opacity=\"{:.3}\"><title>{}: {}</title></path>",
            (value / most).sqrt(),
            shape.name(square),
            shown(value)
        );
    }
    marks.push_str("</g>");
    // Below the labels, which are drawn last.
    let mut drawn = svg(&scene);
    let end =
        drawn.rfind("<g fill=\"none\" stroke=\"").or_else(|| drawn.rfind("</svg>")).unwrap_or(drawn.len());
    drawn.insert_str(end, &marks);
    drawn
}
