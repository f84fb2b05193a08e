//! From an SVG that a user has drawn to a picture of a piece. The file is read within limits, and only shapes and their colors
//! are taken from it. `usvg` turns them into paths, and these are rewritten: nothing of the file's text survives.
//! Not here: how the picture is colored (`drawing`).

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use resvg::usvg::{self, Group, LineCap, LineJoin, Node, Paint, roxmltree};
use usvg::tiny_skia_path::Transform;

use crate::outline::{self, Part, written};
use crate::xml::push_escaped;

/// Largest SVG that is read, in bytes.
pub const MAX_SVG: usize = 32 << 10;
/// Most elements of an SVG, and most after each `<use>` has been replaced by what it shows.
const MAX_ELEMENTS: usize = 2_000;
/// Deepest nesting.
const MAX_DEPTH: usize = 64;
/// Most paths that are drawn.
const MAX_PATHS: usize = 400;
/// Largest result, in bytes.
const MAX_RESULT: usize = 48 << 10;

/// The drawing's width and height in the box of 100 by 100, and its middle: as large as our own.
const FIT: (f32, f32) = (88.0, 90.0);
const MIDDLE: (f32, f32) = (50.0, 48.0);

/// Elements that are drawn, or define how to draw.
const ELEMENTS: [&str; 17] = [
    "svg",
    "g",
    "a",
    "defs",
    "symbol",
    "use",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "linearGradient",
    "radialGradient",
    "stop",
    "style",
];
/// Elements that are about the file and leave nothing out.
const ABOUT: [&str; 3] = ["title", "desc", "metadata"];

/// Their attributes, and the properties of styles.
const ATTRIBUTES: [&str; 46] = [
    "id",
    "class",
    "style",
    "transform",
    "viewBox",
    "preserveAspectRatio",
    "width",
    "height",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "fx",
    "fy",
    "fr",
    "d",
    "points",
    "fill",
    "fill-opacity",
    "fill-rule",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "opacity",
    "color",
    "display",
    "visibility",
    "offset",
    "stop-color",
    "stop-opacity",
    "gradientUnits",
    "gradientTransform",
    "spreadMethod",
    "href",
    "type",
    "paint-order",
];

/// Attributes that are coordinates and sizes.
const GEOMETRY: [&str; 15] =
    ["d", "points", "x", "y", "cx", "cy", "r", "rx", "ry", "x1", "x2", "y1", "y2", "width", "height"];
/// Most digits of such a number before its point.
const MAX_DIGITS: usize = 7;

const SVG: &str = "http://www.w3.org/2000/svg";

/// Why an SVG does not become a picture.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawingFault {
    /// It is too large.
    #[error("expected an SVG of at most {MAX_SVG} bytes, found {0}")]
    TooLarge(usize),
    /// It is not XML, or has a document type, which could define entities.
    #[error("expected an SVG without a document type, found a fault: {0}")]
    Xml(String),
    /// It is XML of another kind.
    #[error("expected an SVG, found `<{0}>`")]
    Other(String),
    /// It has too many elements, with what each `<use>` shows.
    #[error("expected at most {MAX_ELEMENTS} elements, found more")]
    TooManyElements,
    /// Its elements are nested too deeply.
    #[error("expected elements nested at most {MAX_DEPTH} deep, found more")]
    TooDeep,
    /// A `<use>` shows itself.
    #[error("expected a `<use>` of something else, found one that shows itself")]
    Circle,
    /// A shape or a size is wrong.
    #[error("expected shapes that can be drawn, found a fault: {0}")]
    Shape(String),
    /// Nothing is drawn.
    #[error("expected shapes (paths, circles, rectangles …), found none")]
    Empty,
    /// It has too many shapes.
    #[error("expected at most {MAX_PATHS} shapes, found {0}")]
    TooManyPaths(usize),
    /// Its shapes are too detailed.
    #[error("expected shapes of at most {MAX_RESULT} bytes as paths, found {0}: simplify the paths")]
    TooDetailed(usize),
}

/// A picture, and the parts of the SVG that it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// The picture, as [`Drawing::read`](crate::Drawing::read) takes it.
    pub svg: String,
    /// Names of elements that were left out, such as `text`.
    pub left_out: Vec<String>,
}

/// Makes a picture of a piece of an SVG.
///
/// # Errors
/// An SVG that is too large, no SVG, or has nothing to draw.
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><circle r="9"/></svg>"#;
/// let cleaned = lozenge_picture::clean(svg)?;
/// assert_eq!(cleaned.left_out, ["script"]);
/// assert!(cleaned.svg.contains("<path ") && !cleaned.svg.contains("alert"));
/// # Ok::<(), lozenge_picture::DrawingFault>(())
/// ```
pub fn clean(svg: &str) -> Result<Cleaned, DrawingFault> {
    if svg.len() > MAX_SVG {
        return Err(DrawingFault::TooLarge(svg.len()));
    }
    // Without a document type there are no entities.
    let options = roxmltree::ParsingOptions {
        allow_dtd: false,
        nodes_limit: 4 * MAX_ELEMENTS as u32,
        entity_resolver: None,
    };
    let document = roxmltree::Document::parse_with_options(svg, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => DrawingFault::TooManyElements,
        error => DrawingFault::Xml(error.to_string()),
    })?;
    let root = document.root_element();
    if !root.has_tag_name((SVG, "svg")) {
        return Err(DrawingFault::Other(root.tag_name().name().to_owned()));
    }
    check_size(&document)?;
    check_numbers(&document)?;
    let mut left_out = BTreeSet::new();
    let mut shapes = String::new();
    copy(root, &mut shapes, &mut left_out);
    let mut parts = parts_of(&shapes)?;
    fit(&mut parts)?;
    outline::settle(&mut parts);
    let svg = written(&parts);
    if svg.len() > MAX_RESULT {
        return Err(DrawingFault::TooDetailed(svg.len()));
    }
    Ok(Cleaned { svg, left_out: left_out.into_iter().collect() })
}

/// Refuses what is nested too deeply, or shows too much by `<use>`.
fn check_size(document: &roxmltree::Document<'_>) -> Result<(), DrawingFault> {
    if document.descendants().any(|node| node.ancestors().count() > MAX_DEPTH) {
        return Err(DrawingFault::TooDeep);
    }
    let by_id: HashMap<&str, roxmltree::Node<'_, '_>> =
        document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let mut sizes = Sizes { by_id, known: HashMap::new() };
    sizes.of(document.root_element(), 0)?;
    Ok(())
}

/// How many elements each element shows.
struct Sizes<'a, 'input> {
    by_id: HashMap<&'a str, roxmltree::Node<'a, 'input>>,
    /// By number; `None` while it is being counted.
    known: HashMap<roxmltree::NodeId, Option<usize>>,
}

impl<'a, 'input> Sizes<'a, 'input> {
    fn of(&mut self, node: roxmltree::Node<'a, 'input>, depth: usize) -> Result<usize, DrawingFault> {
        match self.known.get(&node.id()) {
            Some(Some(size)) => return Ok(*size),
            Some(None) => return Err(DrawingFault::Circle),
            None => {}
        }
        // A `<use>` of a `<use>` is nesting, too.
        if depth > 4 * MAX_DEPTH {
            return Err(DrawingFault::TooDeep);
        }
        self.known.insert(node.id(), None);
        let mut size = usize::from(node.is_element());
        for child in node.children() {
            size += self.of(child, depth + 1)?;
        }
        let target = href(node).and_then(|id| self.by_id.get(id)).copied();
        if let Some(target) = target.filter(|_| node.tag_name().name() == "use") {
            size += self.of(target, depth + 1)?;
        }
        if size > MAX_ELEMENTS {
            return Err(DrawingFault::TooManyElements);
        }
        self.known.insert(node.id(), Some(size));
        Ok(size)
    }
}

/// The id of the element that this one refers to. Other files are never referred to.
fn href<'a>(node: roxmltree::Node<'a, '_>) -> Option<&'a str> {
    let mut links = node.attributes().filter(|attribute| attribute.name() == "href");
    links.find_map(|attribute| attribute.value().strip_prefix('#'))
}

/// Refuses sizes beyond every picture: an arc becomes the more curves the larger its radius is.
fn check_numbers(document: &roxmltree::Document<'_>) -> Result<(), DrawingFault> {
    let mut attributes = document.descendants().flat_map(|node| node.attributes());
    let huge =
        attributes.find(|attribute| GEOMETRY.contains(&attribute.name()) && has_huge(attribute.value()));
    huge.map_or(Ok(()), |attribute| {
        Err(DrawingFault::Shape(format!(
            "a number with more than {MAX_DIGITS} digits in `{}`",
            attribute.name()
        )))
    })
}

/// Whether a text has a number with too many digits before its point, or too large an exponent.
fn has_huge(text: &str) -> bool {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut at = 0;
    while at < text.len() {
        if !text.is_char_boundary(at) || digits(at) == 0 {
            at += 1;
            continue;
        }
        let is_fraction = at > 0 && text.as_bytes()[at - 1] == b'.';
        let length = digits(at);
        at += length;
        let exponent = text[at..].strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix('+').unwrap_or(rest));
        let exponent = exponent.map(|rest| {
            let end = rest.bytes().take_while(u8::is_ascii_digit).count();
            if end > 9 { u32::MAX } else { rest[..end].parse().unwrap_or(0) }
        });
        if (!is_fraction && length > MAX_DIGITS) || exponent.is_some_and(|power| power > MAX_DIGITS as u32) {
            return true;
        }
    }
    false
}

/// Copies the elements and attributes that are known. Those that are not are noted.
fn copy(node: roxmltree::Node<'_, '_>, out: &mut String, left_out: &mut BTreeSet<String>) {
    let name = node.tag_name().name();
    if node.tag_name().namespace() != Some(SVG) || ABOUT.contains(&name) {
        return;
    }
    if !ELEMENTS.contains(&name) {
        left_out.insert(name.chars().take(32).collect());
        return;
    }
    // A link is a group without its link.
    let name = if name == "a" {
        left_out.insert(name.to_owned());
        "g"
    } else {
        name
    };
    let _ = write!(out, "<{name}");
    if node.parent().is_none_or(|parent| !parent.is_element()) {
        let _ = write!(out, " xmlns=\"{SVG}\"");
    }
    for attribute in node.attributes() {
        let name = attribute.name();
        match (attribute.namespace(), name) {
            (_, "href") => {}
            (None, "style") => push_attribute(out, name, &known_properties(attribute.value())),
            (None, name) if ATTRIBUTES.contains(&name) => push_attribute(out, name, attribute.value()),
            // Handlers of events are scripts.
            (None, name) if name.starts_with("on") => {
                left_out.insert(name.chars().take(32).collect());
            }
            _ => {}
        }
    }
    if let Some(id) = href(node) {
        push_attribute(out, "href", &format!("#{id}"));
    }
    out.push('>');
    if name == "style" {
        // Of dashes there could be very many.
        let css: String = node.children().filter_map(|child| child.text()).collect();
        push_escaped(out, &css.replace("dasharray", "-"));
    } else {
        node.children().filter(roxmltree::Node::is_element).for_each(|child| copy(child, out, left_out));
    }
    let _ = write!(out, "</{name}>");
}

/// The declarations of a style whose property is known.
fn known_properties(style: &str) -> String {
    let is_known = |declaration: &&str| {
        let property = declaration.split(':').next().unwrap_or_default();
        ATTRIBUTES.contains(&property.trim())
    };
    style.split(';').filter(is_known).collect::<Vec<_>>().join(";")
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"");
    push_escaped(out, value);
    out.push('"');
}

/// The paths of the copied shapes, where they are drawn.
fn parts_of(shapes: &str) -> Result<Vec<Part>, DrawingFault> {
    let fault = |error: &dyn std::fmt::Display| DrawingFault::Shape(error.to_string());
    let document = roxmltree::Document::parse(shapes).map_err(|error| fault(&error))?;
    // There are no images left to be resolved; if there were, no file would be opened.
    let options = usvg::Options {
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_xmltree(&document, &options).map_err(|error| fault(&error))?;
    let mut parts = Vec::new();
    collect(tree.root(), 1.0, &mut parts);
    match parts.len() {
        0 => Err(DrawingFault::Empty),
        count if count > MAX_PATHS => Err(DrawingFault::TooManyPaths(count)),
        _ => Ok(parts),
    }
}

fn collect(group: &Group, opacity: f32, parts: &mut Vec<Part>) {
    let opacity = opacity * group.opacity().get();
    for node in group.children() {
        match node {
            Node::Group(group) => collect(group, opacity, parts),
            Node::Path(path) if path.is_visible() => parts.extend(part(path, opacity)),
            Node::Path(_) | Node::Image(_) | Node::Text(_) => {}
        }
    }
}

fn part(path: &usvg::Path, opacity: f32) -> Option<Part> {
    let transform = path.abs_transform();
    let data = path.data().clone().transform(transform)?;
    let bounds = path.abs_stroke_bounding_box();
    let fill = path.fill().and_then(|fill| {
        let (gray, own) = gray_of(fill.paint())?;
        Some(outline::Fill {
            gray,
            opacity: own * fill.opacity().get() * opacity,
            even_odd: fill.rule() == usvg::FillRule::EvenOdd,
        })
    });
    let stroke = path.stroke().and_then(|stroke| {
        let (gray, own) = gray_of(stroke.paint())?;
        // The area of what one unit becomes.
        let scale = (transform.sx * transform.sy - transform.kx * transform.ky).abs().sqrt();
        Some(outline::Stroke {
            gray,
            opacity: own * stroke.opacity().get() * opacity,
            width: stroke.width().get() * scale,
            cap: match stroke.linecap() {
                LineCap::Butt => "butt",
                LineCap::Round => "round",
                LineCap::Square => "square",
            },
            join: match stroke.linejoin() {
                LineJoin::Miter | LineJoin::MiterClip => "miter",
                LineJoin::Round => "round",
                LineJoin::Bevel => "bevel",
            },
        })
    });
    let is_seen = fill.as_ref().is_some_and(|fill| fill.opacity > 0.01)
        || stroke.as_ref().is_some_and(|stroke| stroke.opacity > 0.01);
    is_seen.then_some(Part { data, bounds, fill, stroke })
}

/// How light a paint is, from 0 to 1, and how opaque; a gradient is the mean of its colors. None for a pattern.
fn gray_of(paint: &Paint) -> Option<(f32, f32)> {
    let light = |color: &usvg::Color| {
        (0.2126 * f32::from(color.red) + 0.7152 * f32::from(color.green) + 0.0722 * f32::from(color.blue))
            / 255.0
    };
    let stops = match paint {
        Paint::Color(color) => return Some((light(color), 1.0)),
        Paint::LinearGradient(gradient) => gradient.stops(),
        Paint::RadialGradient(gradient) => gradient.stops(),
        Paint::Pattern(_) => return None,
    };
    let count = stops.len().max(1) as f32;
    let gray = stops.iter().map(|stop| light(&stop.color())).sum::<f32>() / count;
    Some((gray, stops.iter().map(|stop| stop.opacity().get()).sum::<f32>() / count))
}

/// Moves and scales the parts so that they fill the box.
fn fit(parts: &mut [Part]) -> Result<(), DrawingFault> {
    let (mut left, mut top, mut right, mut bottom) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
    for Part { bounds, .. } in parts.iter() {
        (left, top) = (left.min(bounds.left()), top.min(bounds.top()));
        (right, bottom) = (right.max(bounds.right()), bottom.max(bounds.bottom()));
    }
    let (width, height) = (right - left, bottom - top);
    let scale = (FIT.0 / width).min(FIT.1 / height);
    if !(width.is_finite() && height.is_finite() && scale.is_finite() && scale > 0.0) {
        return Err(DrawingFault::Empty);
    }
    let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let place = Transform::from_row(scale, 0.0, 0.0, scale, MIDDLE.0 - x * scale, MIDDLE.1 - y * scale);
    for part in parts {
        part.data = part.data.clone().transform(place).ok_or(DrawingFault::Empty)?;
        if let Some(stroke) = &mut part.stroke {
            stroke.width *= scale;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
