//! `lozenge render`: a position as a picture.

use crate::games::PositionArgs;
use crate::numbers::whole;
use crate::{CliError, output};
use clap::{Args, ValueEnum};
use lozenge_picture::BoardView;
use lozenge_rules::geometry::{Coord, Shape, Square};
use std::path::{Path, PathBuf};

/// `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The picture's format; by default that of the file's ending, `.svg` or `.png`, and SVG for standard output.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Orientation of the board; by default that of the game.
    #[arg(long, value_enum)]
    view: Option<View>,
    /// Black at the bottom; of three or four players Yellow.
    #[arg(long)]
    flip: bool,
    /// A move to show, in long algebraic form.
    #[arg(long, value_name = "MOVE")]
    last_move: Option<String>,
    /// Width of a PNG in pixels. Its height follows from the board. An SVG has no fixed size.
    #[arg(long, value_name = "PX", default_value_t = 800, value_parser = whole::<u32>(16..=8192))]
    size: u32,
    /// Colors.
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// The file to write; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Svg,
    Png,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum View {
    Diamond,
    Square,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Theme {
    Light,
    Dark,
}

/// Draws the picture.
pub(crate) fn run(args: &RenderArgs) -> Result<(), CliError> {
    let format = args.format.or_else(|| Format::of(&args.output));
    let format = format.ok_or_else(|| CliError::PictureFormat(args.output.display().to_string()))?;
    let position = args.position.any_position()?;
    let game = position.variant();
    let mut view = BoardView::of_game(&game);
    view.flipped = args.flip;
    if let Some(layout) = args.view {
        view.diamond = layout == View::Diamond;
    }
    if args.theme == Theme::Dark {
        view.theme = lozenge_picture::Theme::Dark;
    }
    if let Some(text) = &args.last_move {
        view.last_move =
            squares(game.first_pair().shape(), text).ok_or_else(|| CliError::LastMove(text.clone()))?;
    }
    let scene = lozenge_picture::any_scene(&position, &view);
    lozenge_picture::check(&scene)?;
    let bytes = match format {
        Format::Svg => lozenge_picture::svg(&scene).into_bytes(),
        Format::Png => lozenge_picture::png(&scene, args.size)?,
    };
    output::file(&args.output, &bytes)
}

/// The two squares of a move such as `l12a1` or `g7g8q`, legal or not.
fn squares(shape: &Shape, text: &str) -> Option<Vec<Square>> {
    let (from, rest) = Coord::read(text)?;
    let (to, promotion) = Coord::read(rest)?;
    let squares = [from, to].map(|at| shape.at(at));
    (promotion.len() <= 1).then(|| squares.into_iter().collect::<Option<_>>()).flatten()
}

impl Format {
    /// By the ending of the file's name; SVG for standard output.
    fn of(path: &Path) -> Option<Self> {
        if output::is_standard(path) {
            return Some(Self::Svg);
        }
        let ending = path.extension()?.to_str()?;
        Self::from_str(ending, true).ok()
    }
}
