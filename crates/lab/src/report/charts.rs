//! The drawings of a report: curves by `kuva`, and boards, in the colors of the page. Its style sheet sets `--ink`, `--line`,
//! `--plot` and the others, so that one drawing serves light, dark and paper.

use super::json::{PieceReport, Series};
use super::words::Words;
use kuva::plot::{BandPlot, BarPlot, Histogram, LinePlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::theme::Theme as ChartTheme;
use lozenge_picture::{BoardView, Drawings, Shade, Theme, scene, svg};
use lozenge_rules::position::AnyPosition;
use std::fmt::Write as _;
use std::sync::Arc;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 250.0;
const FONT: &str = "inherit";

/// How long games are.
pub(super) fn lengths(w: Words, series: &Series) -> Option<String> {
    let moves: Vec<f64> = series.lengths.iter().map(|&plies| f64::from(plies) / 2.0).collect();
    let most = moves.iter().copied().fold(0.0, f64::max);
    if moves.len() < 2 {
        return None;
    }
    let step = (most / 24.0).ceil().max(1.0);
    let bins = (most / step).ceil().max(1.0);
    let plot = Histogram::new()
        .with_data(moves)
        .with_range((0.0, bins * step))
        .with_bins(bins as usize)
        .with_color("var(--plot)");
    Some(draw("lengths", vec![plot.into()], ["axis-moves", "axis-games"].map(|key| w.get(key)), None))
}

/// How many legal moves there are as the game goes on: the mean, and between which numbers half of the games are.
pub(super) fn legal_moves(w: Words, series: &Series) -> Option<String> {
    if series.legal_moves.len() < 2 {
        return None;
    }
    // One point for a move of each side: the stage of the game matters more than the side to move.
    let moves: Vec<[f64; 3]> = (series.legal_moves.chunks(2))
        .map(|plies| [0, 1, 2].map(|at| plies.iter().map(|ply| ply[at]).sum::<f64>() / plies.len() as f64))
        .collect();
    let x: Vec<f64> = (0..moves.len()).map(|number| number as f64).collect();
    let column = |at: usize| moves.iter().map(move |quarters| quarters[at]);
    let band =
        BandPlot::new(x.iter().copied(), column(1), column(2)).with_color("var(--plot)").with_opacity(0.22);
    let line = LinePlot::new()
        .with_data(x.iter().copied().zip(column(0)).collect::<Vec<_>>())
        .with_color("var(--plot)")
        .with_stroke_width(2.0);
    Some(draw(
        "legal",
        vec![band.into(), line.into()],
        ["axis-moves", "axis-legal"].map(|key| w.get(key)),
        None,
    ))
}

/// How far one side leads as the game goes on.
pub(super) fn lead(w: Words, series: &Series) -> Option<String> {
    let points: Vec<(f64, f64)> = (series.lead.iter().enumerate())
        .map(|(twentieth, lead)| ((twentieth as f64 + 0.5) / 20.0, lead + 0.5))
        .collect();
    let line = LinePlot::new().with_data(points).with_color("var(--plot)").with_stroke_width(2.0);
    let percent = TickFormat::Custom(Arc::new(move |value| w.share(value, 0)));
    let layout = |layout: Layout| {
        layout
            .with_x_tick_format(percent.clone())
            .with_y_tick_format(percent.clone())
            .with_y_axis_min(0.5)
            .with_y_axis_max(1.0)
            .with_x_axis_min(0.0)
            .with_x_axis_max(1.0)
    };
    Some(draw("lead", vec![line.into()], ["axis-part", "axis-lead"].map(|key| w.get(key)), Some(&layout)))
}

/// The values of the pieces: derived, and fitted with the interval.
pub(super) fn values(w: Words, pieces: &[PieceReport]) -> Option<String> {
    let fitted: Vec<&PieceReport> = pieces.iter().filter(|piece| piece.fitted.is_some()).collect();
    if fitted.is_empty() {
        return None;
    }
    let mut plot = BarPlot::new().with_width(0.76);
    let mut errors = Vec::new();
    for piece in &fitted {
        let (derived, [value, low, high]) = (piece.derived.unwrap_or(0.0), piece.fitted.unwrap_or_default());
        let name = w.0.piece_name(&piece.name).unwrap_or_else(|| piece.name.clone());
        plot = plot.with_group(name, vec![(derived, "var(--pale)"), (value, "var(--plot)")]);
        errors.extend([(0.0, 0.0), (value - low, high - value)]);
    }
    let plot = plot.with_asymmetric_error(errors).with_error_color("var(--ink)");
    Some(draw("values", vec![plot.into()], [String::new(), w.get("axis-pawns")], None))
}

/// Draws a chart whose ids begin with `id`, as wide as its place.
fn draw(
    id: &str,
    plots: Vec<Plot>,
    [x, y]: [String; 2],
    change: Option<&dyn Fn(Layout) -> Layout>,
) -> String {
    let ink = || "var(--soft)".to_owned();
    let theme = ChartTheme {
        background: "none".into(),
        axis_color: "var(--line)".into(),
        grid_color: "var(--line)".into(),
        tick_color: "var(--line)".into(),
        text_color: ink(),
        legend_bg: "none".into(),
        legend_border: "none".into(),
        font_family: Some(FONT.into()),
        show_grid: true,
        ..ChartTheme::light()
    };
    let layout = Layout::auto_from_plots(&plots)
        .with_width(WIDTH)
        .with_height(HEIGHT)
        .with_x_label(x)
        .with_y_label(y)
        .with_tick_size(12)
        .with_label_size(13)
        .with_theme(theme);
    let layout = match change {
        Some(change) => change(layout),
        None => layout,
    };
    let drawn = kuva::render_to_svg(plots, layout);
    // Its size is a number of pixels, which a phone does not have, and its ids are the same in every chart.
    let (opening, rest) = drawn.split_once('>').unwrap_or((&drawn, ""));
    let size = |name: &str| {
        let value = opening.split_once(&format!(" {name}=\"")).and_then(|(_, value)| value.split_once('"'));
        value.map_or("0", |(value, _)| value).to_owned()
    };
    let (width, height) = (size("width"), size("height"));
    let attributes =
        format!("viewBox=\"0 0 {width} {height}\" class=\"chart\" fill=\"var(--soft)\" aria-hidden=\"true\"");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}>{}",
        rest.replace("kuva-clip", &format!("{id}-clip"))
    )
}

fn board_view(position: &AnyPosition) -> BoardView {
    BoardView { theme: Theme::Clear, ..BoardView::of(position.variant()) }
}

/// The position as a picture.
pub(super) fn start_board(position: &AnyPosition, title: String, drawings: &Drawings) -> String {
    let view = BoardView { drawings: drawings.clone(), ..board_view(position) };
    let mut scene = scene(position, &view);
    scene.title = Some(title);
    svg(&scene)
}

/// The empty board, each square the darker the larger its number.
pub(super) fn heat_map(
    position: &AnyPosition,
    title: &str,
    values: &[f64],
    format_value: &dyn Fn(f64) -> String,
) -> String {
    let mut scene = scene(position, &board_view(position));
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
            format_value(value)
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
