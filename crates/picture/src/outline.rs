//! The shades of a drawing from elsewhere: light bodies with dark lines, so that each side can color it. A drawing in dark
//! shades, as of black pieces or outlines, is turned around, and bodies without an edge get one.

use resvg::{tiny_skia, usvg};
use std::fmt::Write as _;
use usvg::tiny_skia_path::{Path, PathSegment, Rect};

use crate::drawing::{HEAD, TAIL};
use crate::xml;

/// A path and how it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) data: Path,
    /// Where it is, its line included, before it was fitted into the box.
    pub(crate) bounds: Rect,
    pub(crate) fill: Option<Fill>,
    pub(crate) stroke: Option<Stroke>,
}

/// The inside of a path.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    /// From 0, black, to 1, white.
    pub(crate) gray: f32,
    pub(crate) opacity: f32,
    pub(crate) even_odd: bool,
}

/// The line of a path.
#[derive(Clone, Debug)]
pub(crate) struct Stroke {
    pub(crate) gray: f32,
    pub(crate) opacity: f32,
    pub(crate) width: f32,
    pub(crate) cap: &'static str,
    pub(crate) join: &'static str,
}

/// Width of an edge that is added: that of our own pieces.
const EDGE: f32 = 4.0;
/// From here on a gray is light, up to here it is dark.
const LIGHT: f32 = 0.5;
const DARK: f32 = 0.35;
/// Width and height of the picture by which the mean shade is judged.
const PIXELS: u32 = 48;

/// Makes the bodies light and gives them edges.
pub(crate) fn settle(parts: &mut [Part]) {
    let is_dark = mean_gray(parts).is_some_and(|gray| gray < LIGHT);
    if is_dark {
        for part in parts.iter_mut() {
            part.fill.iter_mut().for_each(|fill| fill.gray = 1.0 - fill.gray);
            part.stroke.iter_mut().for_each(|stroke| stroke.gray = 1.0 - stroke.gray);
        }
    }
    let dark_somewhere = parts.iter().any(|part| {
        let fill = part.fill.as_ref().is_some_and(|fill| fill.gray < DARK);
        fill || part.stroke.as_ref().is_some_and(|stroke| stroke.gray < DARK)
    });
    for part in parts.iter_mut() {
        let is_body = part.fill.as_ref().is_some_and(|fill| fill.gray > LIGHT);
        let needs_edge = is_dark || !dark_somewhere;
        if !is_body || !needs_edge {
            continue;
        }
        match &mut part.stroke {
            Some(stroke) if stroke.gray > LIGHT => {
                (stroke.gray, stroke.width) = (0.0, stroke.width.max(EDGE))
            }
            Some(_) => {}
            None => {
                part.stroke =
                    Some(Stroke { gray: 0.0, opacity: 1.0, width: EDGE, cap: "round", join: "round" });
            }
        }
    }
}

/// The mean shade of what is opaque, as it is seen; `None` where nothing is.
fn mean_gray(parts: &[Part]) -> Option<f32> {
    let tree = usvg::Tree::from_str(&written(parts), &usvg::Options::default()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(PIXELS, PIXELS)?;
    let scale = PIXELS as f32 / 100.0;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let sums = pixels.pixels().iter().fold((0u32, 0u32), |(gray, alpha), pixel| {
        (gray + u32::from(pixel.red()), alpha + u32::from(pixel.alpha()))
    });
    // The colors are premultiplied.
    (sums.1 > 0).then(|| sums.0 as f32 / sums.1 as f32)
}

/// The parts in the form of [`Drawing`](crate::Drawing).
pub(crate) fn written(parts: &[Part]) -> String {
    let mut out = HEAD.to_owned();
    for part in parts {
        out.push_str("<path ");
        match &part.fill {
            None => out.push_str("fill=\"none\""),
            Some(fill) => {
                push_color(&mut out, "fill", fill.gray, fill.opacity);
                if fill.even_odd {
                    out.push_str(" fill-rule=\"evenodd\"");
                }
            }
        }
        match &part.stroke {
            None => out.push_str(" stroke=\"none\""),
            Some(stroke) => {
                out.push(' ');
                push_color(&mut out, "stroke", stroke.gray, stroke.opacity);
                let (width, cap, join) = (xml::number(f64::from(stroke.width)), stroke.cap, stroke.join);
                let _ = write!(
                    out,
                    " stroke-width=\"{width}\" stroke-linecap=\"{cap}\" stroke-linejoin=\"{join}\""
                );
            }
        }
        out.push_str(" d=\"");
        push_path(&mut out, &part.data);
        out.push_str("\"/>\n");
    }
    out.push_str(TAIL);
    out
}

fn push_color(out: &mut String, name: &str, gray: f32, opacity: f32) {
    let level = (gray.clamp(0.0, 1.0) * 255.0).round() as u8;
    let _ = write!(out, "{name}=\"#{level:02x}{level:02x}{level:02x}\"");
    if opacity < 0.995 {
        let _ = write!(out, " {name}-opacity=\"{}\"", xml::number(f64::from(opacity)));
    }
}

fn push_path(out: &mut String, path: &Path) {
    for segment in path.segments() {
        let (letter, points) = match segment {
            PathSegment::MoveTo(to) => ('M', vec![to]),
            PathSegment::LineTo(to) => ('L', vec![to]),
            PathSegment::QuadTo(by, to) => ('Q', vec![by, to]),
            PathSegment::CubicTo(first, second, to) => ('C', vec![first, second, to]),
            PathSegment::Close => ('Z', Vec::new()),
        };
        out.push(letter);
        for (at, point) in points.iter().enumerate() {
            if at > 0 {
                out.push(' ');
            }
            let hundredths = |value: f32| f64::from((value * 100.0).round() / 100.0);
            xml::push_pair(out, (hundredths(point.x), hundredths(point.y)));
        }
    }
}
