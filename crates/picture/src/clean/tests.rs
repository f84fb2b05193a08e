//! SVGs from elsewhere: elements that become a picture, elements that are left out, files that are rejected.

use super::*;
use crate::{Drawing, PieceSet, sprite_with};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

fn svg(content: &str) -> String {
    format!(
        "<svg xmlns=\"{SVG}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"0 0 45 45\">{content}</svg>"
    )
}

fn cleaned(content: &str) -> Cleaned {
    let result = clean(&svg(content)).unwrap_or_else(|fault| panic!("{content}: {fault}"));
    assert!(Drawing::read("a", &result.svg).is_some(), "{}", result.svg);
    result
}

fn fault(content: &str) -> DrawingFault {
    clean(&svg(content)).expect_err(content)
}

#[test]
fn shapes_become_paths_that_fill_the_box() {
    let result = cleaned("<rect x='10' y='10' width='9' height='9' fill='#fff' stroke='#000'/>");
    assert_eq!(result.left_out, [""; 0]);
    assert_eq!(result.svg.matches("<path ").count(), 1);
    assert!(
        result.svg.contains("fill=\"#ffffff\"") && result.svg.contains("stroke=\"#000000\""),
        "{}",
        result.svg
    );
    // Ten units with the line are 88 now.
    assert!(result.svg.contains("stroke-width=\"8.8\""), "{}", result.svg);
    assert!(result.svg.contains("M10.4 8.4L89.6 8.4"), "{}", result.svg);
}

#[test]
fn elements_other_than_shapes_are_dropped_and_reported() {
    let shape = "<circle r='9'/>";
    for (content, left_out) in [
        ("<script>alert(1)</script>", "script"),
        ("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'>text</p></foreignObject>", "foreignObject"),
        ("<image href='http://example.org/a.png' width='9' height='9'/>", "image"),
        ("<image xlink:href='data:image/png;base64,AAAA' width='9' height='9'/>", "image"),
        ("<text>words</text>", "text"),
        ("<set attributeName='href' to='javascript:alert(1)'/>", "set"),
        ("<filter id='f'><feFlood/></filter>", "filter"),
        ("<a href='javascript:alert(1)'/>", "a"),
        ("<g onclick='alert(1)'/>", "onclick"),
        ("<pattern id='p'><path d='M0 0h9'/></pattern>", "pattern"),
    ] {
        let result = cleaned(&format!("{content}{shape}"));
        assert_eq!(result.left_out, [left_out], "{content}");
        assert_eq!(result.svg.matches("<path ").count(), 1, "{content}");
    }
}

#[test]
fn no_handler_link_or_style_survives() {
    let result = cleaned(
        "<style>@import url(http://example.org/a.css); .b { fill: url(http://example.org/#c) }</style>\
         <a href='javascript:alert(1)' onclick='alert(2)'><circle class='b' r='9' onload='alert(3)' fill='#eee' \
         style='fill:#ccc;filter:url(http://example.org)'/></a><use href='http://example.org/x.svg#y'/>",
    );
    assert_eq!(result.svg.matches("<path ").count(), 1);
    for word in ["alert", "example", "url", "style", "href", "load", "click", "class"] {
        assert!(!result.svg.contains(word), "{word}: {}", result.svg);
    }
}

#[test]
fn styles_of_drawing_programs_color_shapes() {
    let result =
        cleaned("<style>.st0{fill:#FFFFFF;stroke:#000000}</style><path class='st0' d='M0 0h30v30h-30z'/>");
    assert!(result.svg.contains("fill=\"#ffffff\" stroke=\"#000000\""), "{}", result.svg);
}

#[test]
fn expansion_bombs_are_refused() {
    let entities = format!(
        "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>{}",
        svg("<text>&b;</text><circle r='9'/>")
    );
    assert!(matches!(clean(&entities), Err(DrawingFault::Xml(_))));
    let outside = "<!DOCTYPE svg SYSTEM \"file:///etc/passwd\"><svg xmlns=\"http://www.w3.org/2000/svg\"/>";
    assert!(matches!(clean(outside), Err(DrawingFault::Xml(_))));
    let deep = format!("{}<circle r='9'/>{}", "<g>".repeat(3_000), "</g>".repeat(3_000));
    assert_eq!(fault(&deep), DrawingFault::TooDeep);
    let doubled: String = (1..30)
        .map(|n| format!("<g id='g{n}'><use href='#g{}'/><use href='#g{}'/></g>", n - 1, n - 1))
        .collect();
    assert_eq!(fault(&format!("<circle id='g0' r='9'/>{doubled}")), DrawingFault::TooManyElements);
    assert_eq!(fault(&"<g/>".repeat(7_000)), DrawingFault::TooManyElements);
    assert_eq!(fault("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"), DrawingFault::Circle);
    assert_eq!(fault(&" ".repeat(MAX_SVG)), DrawingFault::TooLarge(svg("").len() + MAX_SVG));
    let dashes = "<path d='M0 0H40000' stroke='#000' stroke-dasharray='.001' style='stroke-dasharray:.001'/>\
        <style>path{stroke-dasharray:.001}</style>";
    cleaned(dashes);
    let spots: String = (0..500).map(|n| format!("<circle cx='{n}' r='1'/>")).collect();
    assert_eq!(fault(&spots), DrawingFault::TooManyPaths(500));
}

#[test]
fn empty_and_foreign_files_are_refused() {
    assert_eq!(fault(""), DrawingFault::Empty);
    assert_eq!(fault("<circle r='0'/>"), DrawingFault::Empty);
    assert_eq!(fault("<circle r='9' display='none'/>"), DrawingFault::Empty);
    assert!(matches!(clean("{}"), Err(DrawingFault::Xml(_))));
    assert_eq!(clean("<html/>"), Err(DrawingFault::Other("html".into())));
    for strange in [
        "<path d='M0 0L1e38 1e38 -1e38 9'/>",
        "<circle r='1e30'/>",
        "<g transform='scale(1e30)'><circle r='9'/></g>",
    ] {
        // The result is a valid picture or a fault.
        if let Ok(result) = clean(&svg(strange)) {
            assert!(Drawing::read("a", &result.svg).is_some(), "{}", result.svg);
        }
    }
}

#[test]
fn dark_drawings_become_light_bodies_with_edges() {
    // An outline as a font has it, and a black piece with light lines.
    let plain = cleaned("<path d='M0 0h30v30h-30z'/>");
    assert!(plain.svg.contains("fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"4\""), "{}", plain.svg);
    let black =
        cleaned("<path d='M0 0h30v30h-30z' stroke='#000'/><path d='M9 9h9' fill='none' stroke='#fff'/>");
    let [body, line] = [1, 2].map(|at| black.svg.lines().nth(at).unwrap_or_default());
    assert!(body.contains("fill=\"#ffffff\" stroke=\"#000000\""), "{body}");
    assert!(line.contains("fill=\"none\" stroke=\"#000000\""), "{line}");
    // A light piece stays as it is.
    let light = cleaned("<path d='M0 0h30v30h-30z' fill='#111'/><path d='M2 2h26v26h-26z' fill='#fafafa'/>");
    assert!(light.svg.contains("#111111") && light.svg.contains("#fafafa"), "{}", light.svg);
}

#[test]
fn a_gradient_is_its_mean_and_groups_are_transparent_together() {
    let result = cleaned(
        "<linearGradient id='g'><stop stop-color='#fff'/><stop offset='1' stop-color='#ccc'/></linearGradient>\
         <g opacity='.5'><path fill='url(#g)' stroke='#000' d='M0 0h30v30h-30z'/></g>",
    );
    assert!(result.svg.contains("fill=\"#e6e6e6\" fill-opacity=\".5\""), "{}", result.svg);
}

#[test]
fn drawings_appear_in_sprites_and_boards() {
    let result = cleaned("<circle r='9' fill='#fff' stroke='#000'/>");
    let drawings = Drawing::read("f00d", &result.svg).into_iter().collect();
    let sprite = sprite_with(PieceSet::Classic, ["f00d", "king"], &drawings);
    for id in ["f00d-white", "f00d-black", "king-white"] {
        assert!(sprite.contains(&format!("<symbol id=\"{id}\"")), "{sprite}");
    }
}

#[test]
fn huge_numbers_are_refused() {
    for path in ["M1 1a5 488888888888888 10 0 1 3 3", "M1 1A5e80 4 10 0 1 3 3", "M1 1a.5E+9 4 10 0 1 3 3"] {
        let svg =
            format!(r##"<svg xmlns="http://www.w3.org/2000/svg"><path fill="#1e9999" d="{path}"/></svg>"##);
        let fault = clean(&svg).unwrap_err();
        assert!(fault.to_string().contains("more than 7 digits in `d`"), "{fault}");
    }
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg"><path fill="#1e9999" d="M1 1a5.123456789 4e-9 10 0 1 3 3h9v9"/></svg>"##;
    assert!(clean(svg).is_ok());
}

#[test]
fn damaged_files_give_a_picture_or_a_fault() {
    let seeds = ["shapes", "paths", "styles", "hostile"].map(|name| {
        let path = format!("{}/../../fuzz/seeds/svg/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    });
    let mut numbers = SplitMix64::seed_from_u64(0);
    let mut random = |below: usize| (numbers.next_u64() % below as u64) as usize;
    let mut cleaned_count = 0;
    for round in 0..2_000 {
        let mut text: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..1 + random(4) {
            let (at, other) = (random(text.len()), random(text.len()));
            match random(4) {
                0 => text[at] = ['9', '-', '.', 'e', ' ', '"', '%'][random(7)],
                1 => drop(text.remove(at)),
                2 => text.insert(at, text[other]),
                _ => {
                    let piece = text[at.min(other)..(at.min(other) + 20).min(text.len())].to_vec();
                    text.splice(at..at, piece);
                }
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(cleaned) = clean(&text) {
            assert!(Drawing::read("a", &cleaned.svg).is_some(), "{text}: {}", cleaned.svg);
            cleaned_count += 1;
        }
    }
    assert!(cleaned_count > 100, "{cleaned_count} of the damaged files are pictures");
}
