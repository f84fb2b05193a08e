//! PNG, made from the SVG. Not here: the style of the picture.

use resvg::{tiny_skia, usvg};

use crate::check::{MAX_PNG_PIXELS, MAX_PNG_WIDTH, PictureError, check};
use crate::scene::Scene;

/// The scene as a PNG file, `width_px` pixels wide and as high as the board's shape asks for.
///
/// # Errors
/// A scene that [`check`] refuses, a width of 0 or above [`MAX_PNG_WIDTH`], or an area above
/// [`MAX_PNG_PIXELS`].
pub fn png(scene: &Scene, width_px: u32) -> Result<Vec<u8>, PictureError> {
    check(scene)?;
    if !(1..=MAX_PNG_WIDTH).contains(&width_px) {
        return Err(PictureError::Width { width: width_px, limit: MAX_PNG_WIDTH });
    }
    let text = crate::svg::try_svg(scene)?;
    let tree = usvg::Tree::from_str(&text, &usvg::Options::default()).map_err(render_error)?;
    let size = tree.size();
    let height = (f64::from(size.height()) / f64::from(size.width()) * f64::from(width_px)).round().max(1.0);
    let height_px = height as u64;
    if u64::from(width_px) * height_px > MAX_PNG_PIXELS {
        return Err(PictureError::Area { width: width_px, height: height_px, limit: MAX_PNG_PIXELS });
    }
    let mut pixels = tiny_skia::Pixmap::new(width_px, height_px as u32)
        .ok_or_else(|| PictureError::Render("no room for the pixels".to_owned()))?;
    let scale_x = width_px as f32 / size.width();
    let scale_y = height_px as f32 / size.height();
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale_x, scale_y), &mut pixels.as_mut());
    pixels.encode_png().map_err(render_error)
}

fn render_error(error: impl std::fmt::Display) -> PictureError {
    PictureError::Render(error.to_string())
}
