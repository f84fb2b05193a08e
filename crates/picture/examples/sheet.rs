//! Draws sheets of all pieces and compounds at four sizes and a few demo boards into a folder, to look at.
//!
//! `cargo run -p lozenge-picture --example sheet -- FOLDER`. Not here: rules; the arrays are written out.

use std::error::Error;
use std::path::{Path, PathBuf};

use lozenge_picture::{Cell, Glyph, Label, PlacedPiece, Scene, Shade, Side, Theme, glyph_names, png, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "target/sheet".to_owned()));
    std::fs::create_dir_all(&folder)?;
    for (theme, suffix) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        let pieces: Vec<&str> = glyph_names().iter().copied().chain(["zebra"]).collect();
        for (what, names) in [("pieces", pieces), ("compounds", COMPOUNDS.to_vec())] {
            let scene = pieces_sheet(theme, &names);
            for pixels in [20, 32, 64, 128] {
                let width = (pixels as f64 * (SHEET_COLUMNS as f64 + 0.56)).round() as u32;
                save(&folder, &format!("{what}-{pixels}-{suffix}"), &scene, width)?;
            }
        }
        save(&folder, &format!("diagonal-{suffix}"), &diagonal(theme), 900)?;
        save(&folder, &format!("diamond-{suffix}"), &diamond(theme), 900)?;
        save(&folder, &format!("doublediamond-{suffix}"), &double_diamond(theme), 900)?;
        for game in &RINGS {
            save(&folder, &format!("{}-{suffix}", game.name), &ring(theme, game), 1000)?;
            save(&folder, &format!("{}-small-{suffix}", game.name), &ring(theme, game), 300)?;
        }
        save(&folder, &format!("alphabet-{suffix}"), &letters(theme), 1000)?;
    }
    Ok(())
}

fn save(folder: &Path, name: &str, scene: &Scene, width_px: u32) -> Result<(), Box<dyn Error>> {
    std::fs::write(folder.join(name).with_extension("svg"), svg(scene))?;
    std::fs::write(folder.join(name).with_extension("png"), png(scene, width_px)?)?;
    Ok(())
}

fn square(x: f64, y: f64, shade: Shade, ghost: bool) -> Cell {
    let corners = vec![(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)];
    Cell { center: (x, y), corners, shade, ghost }
}

/// A cell turned by 45 degrees: file and rank both go up, the file to the right.
fn turned(file: f64, rank: f64, shade: Shade) -> Cell {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let (x, y) = ((file - rank) * half, -(file + rank) * half);
    let corners = vec![(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
    Cell { center: (x, y), corners, shade, ghost: false }
}

fn shade(file: i32, rank: i32) -> Shade {
    if (file + rank).rem_euclid(2) == 0 { Shade::Dark } else { Shade::Light }
}

fn piece(cell: usize, letter: char, names: &[(char, &str)], ghost: bool) -> PlacedPiece {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let capital = letter.to_ascii_uppercase();
    let glyph = match names.iter().find(|(known, _)| *known == capital) {
        Some((_, name)) => Glyph::Named((*name).to_owned()),
        None => Glyph::Letter(capital),
    };
    PlacedPiece { cell, glyph, side, ghost }
}

/// The squares of a FEN placement as (file, rank, letter if a piece stands there), holes left out.
fn placement(fen: &str) -> Vec<(i32, i32, Option<char>)> {
    let rows: Vec<&str> = fen.split('/').collect();
    let mut squares = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        let rank = (rows.len() - 1 - row) as i32;
        let mut file = 0;
        let mut empty = 0;
        for letter in text.chars().chain(['.']) {
            if let Some(digit) = letter.to_digit(10) {
                empty = empty * 10 + digit;
                continue;
            }
            for _ in 0..std::mem::take(&mut empty) {
                squares.push((file, rank, None));
                file += 1;
            }
            match letter {
                '.' => {}
                '*' => file += 1,
                _ => {
                    squares.push((file, rank, Some(letter)));
                    file += 1;
                }
            }
        }
    }
    squares
}

const ORTHODOX: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];

fn label(x: f64, y: f64, text: String) -> Label {
    Label { at: (x, y), text, size: 0.34 }
}

fn letter_of(file: i32) -> String {
    char::from(b'a' + file as u8).to_string()
}

/// A board turned as a diamond, with coordinates along the two lower edges.
fn turned_board(fen: &str, names: &[(char, &str)], theme: Theme) -> Scene {
    let mut scene = Scene::empty(theme);
    for (file, rank, letter) in placement(fen) {
        if let Some(letter) = letter {
            scene.pieces.push(piece(scene.cells.len(), letter, names, false));
        }
        scene.cells.push(turned(f64::from(file), f64::from(rank), shade(file, rank)));
    }
    let beside = |cell: &Cell, right: f64| (cell.center.0 + right * 0.62, cell.center.1 + 0.62);
    let along = |is_visible: &dyn Fn(i32, i32) -> bool| -> Vec<usize> {
        let squares = placement(fen);
        squares.iter().enumerate().filter(|(_, s)| is_visible(s.0, s.1)).map(|(index, _)| index).collect()
    };
    for index in along(&|_, rank| rank == 0) {
        let (x, y) = beside(&scene.cells[index], 0.8);
        scene.labels.push(label(x, y, letter_of(placement(fen)[index].0)));
    }
    for index in along(&|file, _| file == 0) {
        let (x, y) = beside(&scene.cells[index], -0.8);
        scene.labels.push(label(x, y, (placement(fen)[index].1 + 1).to_string()));
    }
    scene
}

fn square_board(fen: &str, names: &[(char, &str)], theme: Theme) -> Scene {
    let mut scene = Scene::empty(theme);
    for (file, rank, letter) in placement(fen) {
        if let Some(letter) = letter {
            scene.pieces.push(piece(scene.cells.len(), letter, names, false));
        }
        scene.cells.push(square(f64::from(file), -f64::from(rank), shade(file, rank), false));
    }
    scene
}

fn diagonal(theme: Theme) -> Scene {
    let names: Vec<(char, &str)> =
        ORTHODOX.iter().map(|&(c, name)| if c == 'N' { (c, "camel") } else { (c, name) }).collect();
    let mut scene = turned_board("3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3", &names, theme);
    scene.title = Some("Diagonal Chess, the start".to_owned());
    scene
}

fn diamond(theme: Theme) -> Scene {
    let names =
        [('K', "king"), ('R', "rook"), ('N', "knight"), ('P', "pawn"), ('A', "archbishop"), ('V', "vizier")];
    let fen = "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K****";
    let mut scene = square_board(fen, &names, theme);
    scene.title = Some("Diamond Chess, the start".to_owned());
    for index in 0..9 {
        let at = f64::from(index);
        scene.labels.push(label(at, 0.8, letter_of(index)));
        scene.labels.push(label(-0.8, -at, (index + 1).to_string()));
    }
    scene
}

fn double_diamond(theme: Theme) -> Scene {
    let names: Vec<(char, &str)> = ORTHODOX.into_iter().chain([('M', "marshall")]).collect();
    let fen = "**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/KQBNR2**";
    let mut scene = turned_board(fen, &names, theme);
    scene.title = Some("Double Diamond, every mark".to_owned());
    let find = |file: i32, rank: i32| placement(fen).iter().position(|s| (s.0, s.1) == (file, rank));
    scene.last_move = [find(1, 5), find(1, 4)].into_iter().flatten().collect();
    scene.check = find(8, 8).into_iter().collect();
    scene.dots = [find(2, 2), find(3, 3), find(4, 4), find(5, 5), find(7, 5)].into_iter().flatten().collect();
    scene
}

/// A game on the board of Diamond Ring Chess.
struct Ring {
    name: &'static str,
    title: &'static str,
    /// The pieces besides the orthodox ones.
    names: &'static [(char, &'static str)],
    fen: &'static str,
}

const FERZ: (char, &str) = ('F', "ferz");
const WAZIR: (char, &str) = ('W', "wazir");

const RINGS: [Ring; 6] = [
    Ring {
        name: "ring",
        title: "Diamond Ring Chess, a reconstruction of the start",
        names: &[FERZ, WAZIR, ('E', "elephant"), ('D', "dabbaba")],
        fen: "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/2PREFKERP2",
    },
    Ring {
        name: "mitregi",
        title: "Wing, Mitre, Gold and Silver",
        names: &[('L', "wing"), ('M', "mitre"), ('G', "gold"), ('S', "silver")],
        fen: "2PRMSGMRP2/3PNBBNP3/p3PLLP3p/rp3PP3pr/mnp6pnm/kblp4plbg/sblp4plbs/mnp6pnm/rp3PP3pr/p3PLLP3p/3PNBBNP3/2PRMSKMRP2",
    },
    Ring {
        name: "gryphon",
        title: "Gryphon and Anchorite",
        names: &[FERZ, WAZIR, ('G', "griffon"), ('A', "anchorite")],
        fen: "2PRAFWARP2/3PNBBNP3/p3PGGP3p/rp3PP3pr/anp6pna/kbgp4pgbw/fbgp4pgbf/anp6pna/rp3PP3pr/p3PGGP3p/3PNBBNP3/2PRAFKARP2",
    },
    Ring {
        name: "scout",
        title: "Girlscout and Boyscout",
        names: &[FERZ, WAZIR, ('G', "girlscout"), ('Y', "boyscout")],
        fen: "2PRYFWYRP2/3PNBBNP3/p3PGGP3p/rp3PP3pr/ynp6pny/kbgp4pgbw/fbgp4pgbf/ynp6pny/rp3PP3pr/p3PGGP3p/3PNBBNP3/2PRYFKYRP2",
    },
    Ring {
        name: "wolf",
        title: "Wolf and Fox",
        names: &[FERZ, WAZIR, ('O', "wolf"), ('X', "fox")],
        fen: "2PRXFWXRP2/3PNBBNP3/p3POOP3p/rp3PP3pr/xnp6pnx/kbop4pobw/fbop4pobf/xnp6pnx/rp3PP3pr/p3POOP3p/3PNBBNP3/2PRXFKXRP2",
    },
    Ring {
        name: "wildeurasian",
        title: "Cannon, Arrow, Tank and Gnu",
        names: &[('C', "cannon"), ('A', "arrow"), ('T', "tank"), ('G', "gnu")],
        fen: "2PRAGQARP2/3PNBBNP3/p3PCCP3p/rp3PP3pr/anp6pna/kbcp4pcbq/tbcp4pcbg/anp6pna/rp3PP3pr/p3PCCP3p/3PNBBNP3/2PRATKARP2",
    },
];

fn ring(theme: Theme, game: &Ring) -> Scene {
    let names: Vec<(char, &str)> = ORTHODOX.into_iter().chain(game.names.iter().copied()).collect();
    let squares = placement(game.fen);
    let mut scene = Scene::empty(theme);
    scene.title = Some(game.title.to_owned());
    for rank in -1..13_i32 {
        for file in -1..13_i32 {
            let ghost = !(0..12).contains(&rank) || !(0..12).contains(&file);
            let same = (file.rem_euclid(12), rank.rem_euclid(12));
            if let Some(letter) = squares.iter().find(|s| (s.0, s.1) == same).and_then(|s| s.2) {
                scene.pieces.push(piece(scene.cells.len(), letter, &names, ghost));
            }
            scene.cells.push(square(f64::from(file), -f64::from(rank), shade(file, rank), ghost));
        }
    }
    for index in 0..12 {
        let at = f64::from(index);
        scene.labels.push(label(at, 1.8, letter_of(index)));
        scene.labels.push(label(-1.85, -at, (index + 1).to_string()));
    }
    scene
}

/// How many pieces stand side by side on the sheet.
const SHEET_COLUMNS: usize = 9;

/// The compounds of the fusion game, each among the pieces it is most easily taken for, and one with a piece
/// that has no drawing.
const COMPOUNDS: &[&str] = &[
    "rook",
    "rook+ferz",
    "rook+elephant",
    "queen",
    "marshall",
    "knight",
    "knight+wazir",
    "knight+ferz",
    "knight+dabbaba",
    "knight+elephant",
    "bishop",
    "cardinal",
    "wazir+bishop",
    "dabbaba+bishop",
    "wazir",
    "wazir+ferz",
    "wazir+dabbaba",
    "wazir+elephant",
    "ferz",
    "ferz+elephant",
    "dabbaba",
    "dabbaba+ferz",
    "dabbaba+elephant",
    "elephant",
    "king",
    "pawn",
    "rook+zebra",
];

/// Pieces in bands of White on light, White on dark, Black on light, Black on dark.
fn pieces_sheet(theme: Theme, names: &[&str]) -> Scene {
    let mut scene = Scene::empty(theme);
    let glyphs: Vec<Glyph> = names.iter().map(|name| Glyph::Named((*name).to_owned())).collect();
    for (band, glyphs) in glyphs.chunks(SHEET_COLUMNS).enumerate() {
        for row in 0..4 {
            let side = if row < 2 { Side::First } else { Side::Second };
            let shade = if row % 2 == 0 { Shade::Light } else { Shade::Dark };
            for (column, glyph) in glyphs.iter().enumerate() {
                scene.pieces.push(PlacedPiece {
                    cell: scene.cells.len(),
                    glyph: glyph.clone(),
                    side,
                    ghost: false,
                });
                scene.cells.push(square(column as f64, (band * 4 + row) as f64, shade, false));
            }
        }
    }
    scene
}

/// Every character of the alphabet.
fn letters(theme: Theme) -> Scene {
    let mut scene = Scene::empty(theme);
    scene.cells.push(square(0.0, 0.0, Shade::Light, false));
    let lines = [
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "abcdefghijklmnopqrstuvwxyz",
        "0123456789 +-*/=<>(){}[]_|\\",
        ".,:;!?'\"`^~#%&@$ \u{e9}",
        "Diamond Ring Chess: a reconstruction (1997)",
    ];
    for (row, line) in lines.iter().enumerate() {
        scene.labels.push(Label { at: (0.0, row as f64 + 1.4), text: (*line).to_owned(), size: 0.8 });
    }
    scene
}
