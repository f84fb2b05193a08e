//! Games: built-in ones, those of files, and those of `variants.ini`.

use crate::fault;
use crate::host::{describe_value, read_file};
use js_sys::{Error, JsString, Object, Reflect};
use lozenge_protocol::games::unknown;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::VariantError;
use wasm_bindgen::convert::TryFromJsValue as _;
use wasm_bindgen::prelude::*;

/// A game: its board, pieces and rules. It never changes.
#[wasm_bindgen]
pub struct Variant {
    pub(crate) rules: AnyGame,
}

#[wasm_bindgen]
extern "C" {
    /// A game as it may be given: itself, or its id.
    #[wasm_bindgen(typescript_type = "Variant | string")]
    pub type AnyVariant;

    #[wasm_bindgen(method, catch)]
    fn copy(this: &AnyVariant) -> Result<JsValue, JsValue>;
}

impl AnyVariant {
    /// The rules of the game.
    pub(crate) fn rules(&self) -> Result<AnyGame, Error> {
        if let Some(name) = self.as_string() {
            return named(&name);
        }
        // To take the game out of the caller's own object would empty that.
        let copied = self.copy().ok().and_then(|copied| Variant::try_from_js_value(copied).ok());
        let expected = || fault(format_args!("expected a Variant or an id, found {}", describe_value(self)));
        copied.map(|copied| copied.rules).ok_or_else(expected)
    }
}

#[wasm_bindgen]
impl Variant {
    /// The built-in game with this id. In Node also the game of a variant file, by its path.
    #[wasm_bindgen(constructor)]
    pub fn new(id: &str) -> Result<Variant, Error> {
        named(id).map(|rules| Self { rules })
    }

    /// The faults of a variant file's text as JSON, in the form of the site's `POST /api/variants/validate`; none for a game.
    pub fn faults(text: &str, parents: Option<Vec<String>>) -> Result<String, Error> {
        let faults = match read_text(text, parents.as_deref()) {
            Ok(_) => Vec::new(),
            Err(error) => lozenge_analysis::faults::all(text, &error),
        };
        serde_json::to_string(&faults).map_err(fault)
    }

    /// The game of a variant file's text. Throws with every fault, one a line. `parents` are the texts of the games that it
    /// extends, the nearest first; without them built-in ones are found by their ids.
    pub fn parse(text: &str, parents: Option<Vec<String>>) -> Result<Variant, Error> {
        read_text(text, parents.as_deref()).map(|rules| Self { rules }).map_err(every_fault)
    }

    /// Its id.
    #[wasm_bindgen(getter)]
    pub fn id(&self) -> String {
        self.rules.id().to_owned()
    }

    /// Its name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.rules.name().to_owned()
    }

    /// The names of the squares.
    #[wasm_bindgen(getter)]
    pub fn squares(&self) -> Vec<String> {
        let shape = self.rules.shape();
        shape.squares().map(|square| shape.name(square)).collect()
    }

    /// The names of the pieces by their letters.
    #[wasm_bindgen(getter, unchecked_return_type = "Record<string, string>")]
    pub fn pieces(&self) -> Object {
        let pieces = Object::new();
        for (_, info) in self.rules.roles().iter() {
            let (letter, name) = (info.letter.to_string(), JsString::from(info.name.as_str()));
            // A new object takes every property.
            let _ = Reflect::set(&pieces, &letter.into(), &name);
        }
        pieces
    }

    /// The starting positions as FEN.
    #[wasm_bindgen(getter)]
    pub fn starts(&self) -> Vec<String> {
        self.rules.starts()
    }

    /// The variant file.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.rules.texts().first().cloned().unwrap_or_default()
    }

    /// Another object for the same game.
    pub fn copy(&self) -> Variant {
        Self { rules: self.rules.clone() }
    }

    /// Whether both have the same rules.
    pub fn equals(&self, other: &Variant) -> bool {
        self.rules.texts() == other.rules.texts()
    }
}

/// All faults of a text, one a line.
fn every_fault(error: VariantError) -> Error {
    fault(error.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// The game of a text, which extends others by their ids or by these texts, the nearest first.
fn read_text(text: &str, parents: Option<&[String]>) -> Result<AnyGame, VariantError> {
    match parents {
        None => AnyGame::parse("<text>", text, &library::text),
        Some(parents) => AnyGame::parse_extending("<text>", text, parents),
    }
}

/// The game of an id or path, as the command line finds it.
fn named(text: &str) -> Result<AnyGame, Error> {
    if let Some(rules) = library::any_game(text) {
        return Ok(rules);
    }
    if text.contains(['/', '.', '\\'])
        && let Some(source) = read_file(text)
    {
        let source = source.map_err(|error| fault(format_args!("{text}: {error}")))?;
        let folder = text.rfind(['/', '\\']).map_or("", |end| &text[..=end]);
        return AnyGame::parse(text, &source, &|id| library::text(id).or_else(|| sibling(folder, id)))
            .map_err(every_fault);
    }
    if let Some(rules) = library::any_named(text) {
        return Ok(rules);
    }
    Err(fault(unknown(text, &variants())))
}

/// The file of the game that a file extends, in the same folder.
fn sibling(folder: &str, id: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.len() <= 40 && id.chars().all(letters);
    if is_id { read_file(&format!("{folder}{id}.toml"))?.ok() } else { None }
}

/// The ids of the built-in games.
#[wasm_bindgen]
pub fn variants() -> Vec<String> {
    library::ids().chain(library::multi_ids()).map(str::to_owned).collect()
}

/// A translated text, and the parts that could not be translated.
#[wasm_bindgen(getter_with_clone)]
pub struct Translated {
    /// The text.
    #[wasm_bindgen(readonly)]
    pub text: String,
    /// The parts that could not be translated.
    #[wasm_bindgen(readonly)]
    pub untranslated: Vec<String>,
}

/// A variant file for a section of Fairy-Stockfish's `variants.ini`.
#[wasm_bindgen(js_name = importIni)]
pub fn import_ini(text: &str, name: Option<String>) -> Result<Translated, Error> {
    let imported = lozenge_ini::import(text, name.as_deref()).map_err(fault)?;
    let untranslated = imported.untranslated.iter().map(ToString::to_string).collect();
    Ok(Translated { text: imported.text, untranslated })
}

/// A section of `variants.ini` for a game.
#[wasm_bindgen(js_name = exportIni)]
pub fn export_ini(variant: &Variant) -> Result<Translated, Error> {
    let rules = variant.rules.for_two().map_err(fault)?;
    let exported = lozenge_ini::export(rules);
    let untranslated = exported.untranslated.iter().map(ToString::to_string).collect();
    Ok(Translated { text: exported.text, untranslated })
}
