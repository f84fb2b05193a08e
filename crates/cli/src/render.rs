//! `lozenge render`: a position as a picture.

use crate::{CliError, games};
use clap::{Args, ValueEnum};
use lozenge_picture::BoardView;
use lozenge_rules::geometry::{Coord, Square};
use lozenge_rules::variant::Variant;
use std::io::Write;
use std::path::{Path, PathBuf};

/// `render`.
#[derive(Args, Debug)]
pub(crate) struct RenderArgs {
    /// Id of a game, or path of a variant file.
    variant: String,
    /// The position instead of the start.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// The picture's format; unless told, by the ending of the file's name, `.svg` or `.png`.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// How the board is held; unless told, as the game says.
    #[arg(long, value_enum)]
    view: Option<View>,
    /// Black at the bottom.
    #[arg(long)]
    flip: bool,
    /// A move to show, in long algebraic form.
    #[arg(long, value_name = "MOVE")]
    last_move: Option<String>,
    /// Width of a PNG, in pixels; it is as high as the board asks for. An SVG fills whatever room it is given.
    #[arg(long, value_name = "PX", default_value_t = 800, value_parser = clap::value_parser!(u32).range(16..=8192))]
    size: u32,
    /// Colors.
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Where the picture goes.
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
    let position = games::position(&args.variant, args.fen.as_deref())?;
    let variant = position.variant();
    let mut view = BoardView::of(variant);
    view.flipped = args.flip;
    if let Some(wanted) = args.view {
        view.diamond = wanted == View::Diamond;
    }
    if args.theme == Theme::Dark {
        view.theme = lozenge_picture::Theme::Dark;
    }
    if let Some(text) = &args.last_move {
        view.last_move = squares(variant, text).ok_or_else(|| CliError::LastMove(text.clone()))?;
    }
    let scene = lozenge_picture::scene(&position, &view);
    lozenge_picture::check(&scene)?;
    let bytes = match format {
        Format::Svg => lozenge_picture::svg(&scene).into_bytes(),
        Format::Png => lozenge_picture::png(&scene, args.size)?,
    };
    write(&args.output, &bytes)
}

/// Writes a file whole or not at all: beside it and then renamed, so that a failure never leaves half a picture.
fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let fault = |what: &Path| {
        let what = what.display().to_string();
        |error| CliError::Write { what, error }
    };
    // A device or a pipe is written to; a file in its place would be the end of it.
    if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let written =
            std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
        return written.map_err(fault(path));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(folder).map_err(fault(folder))?;
    let whole = || -> std::io::Result<()> {
        // Its errors speak of a name that nobody has given: only their kind is told.
        let mut file =
            tempfile::NamedTempFile::new_in(folder).map_err(|error| std::io::Error::from(error.kind()))?;
        file.as_file_mut().write_all(bytes)?;
        make_readable(file.path())?;
        file.persist(path)?;
        Ok(())
    };
    whole().map_err(fault(path))
}

/// Temporary files are private; a picture is for whoever may read its folder.
#[cfg(unix)]
fn make_readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// The two squares of a move such as `l12a1` or `g7g8q`, legal or not.
fn squares(variant: &Variant, text: &str) -> Option<Vec<Square>> {
    let (from, rest) = Coord::read(text)?;
    let (to, promotion) = Coord::read(rest)?;
    let squares = [from, to].map(|at| variant.shape().at(at));
    (promotion.len() <= 1).then(|| squares.into_iter().collect::<Option<_>>()).flatten()
}

impl Format {
    /// By the ending of the file's name.
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Self::from_str(ending, true).ok()
    }
}
