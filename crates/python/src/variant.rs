//! Games: built-in ones, those of files, and those of `variants.ini`.

use crate::fault;
use lozenge_protocol::games::unknown;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::{MAX_FILE_BYTES, VariantError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A game.
#[pyclass(frozen, module = "lozenge", from_py_object)]
#[derive(Clone)]
pub(crate) struct Variant {
    pub(crate) rules: AnyGame,
}

#[pymethods]
impl Variant {
    #[new]
    fn new(py: Python<'_>, id_or_path: PathBuf) -> PyResult<Self> {
        py.detach(|| named(&id_or_path.to_string_lossy())).map(|rules| Self { rules })
    }

    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let parsed = py.detach(|| AnyGame::parse("<text>", text, &library::text));
        parsed.map(|rules| Self { rules }).map_err(every_fault)
    }

    #[getter]
    fn id(&self) -> &str {
        self.rules.id()
    }

    #[getter]
    fn name(&self) -> &str {
        self.rules.name()
    }

    #[getter]
    fn squares(&self) -> Vec<String> {
        let shape = self.rules.shape();
        shape.squares().map(|square| shape.name(square)).collect()
    }

    #[getter]
    fn pieces(&self) -> BTreeMap<char, String> {
        self.rules.roles().iter().map(|(_, info)| (info.letter, info.name.clone())).collect()
    }

    #[getter]
    fn starts(&self) -> Vec<String> {
        self.rules.starts()
    }

    #[getter]
    fn text(&self) -> &str {
        self.rules.texts().first().map_or("", String::as_str)
    }

    fn __repr__(&self) -> String {
        format!("<lozenge.Variant {}>", self.rules.id())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.rules.texts() == other.rules.texts()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.rules.texts().hash(&mut hasher);
        hasher.finish()
    }
}

/// All faults of a text, one a line.
fn every_fault(error: VariantError) -> PyErr {
    fault(error.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// The game of an id or path, as the command line finds it.
pub(crate) fn named(text: &str) -> PyResult<AnyGame> {
    if let Some(rules) = library::any_game(text) {
        return Ok(rules);
    }
    let path = Path::new(text);
    if text.contains(['/', '.', std::path::MAIN_SEPARATOR]) || path.exists() {
        let source = read(path).map_err(|error| fault(format_args!("{text}: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        return AnyGame::parse(text, &source, &|id| library::text(id).or_else(|| sibling(folder, id)))
            .map_err(every_fault);
    }
    if let Some(rules) = library::any_named(text) {
        return Ok(rules);
    }
    Err(fault(unknown(text, &variants())))
}

/// The file of the game that a file extends, in the same folder.
fn sibling(folder: &Path, id: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.len() <= 40 && id.chars().all(letters);
    if is_id { read(&folder.join(format!("{id}.toml"))).ok() } else { None }
}

fn read(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if about.is_dir() {
        return Err("expected a file, found a folder".into());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let most = MAX_FILE_BYTES as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(format!("expected at most {MAX_FILE_BYTES} bytes, found {}", about.len()));
    }
    String::from_utf8(bytes).map_err(|error| {
        format!("expected UTF-8 text, found something else at byte {}", error.utf8_error().valid_up_to() + 1)
    })
}

/// The ids of the built-in games.
#[pyfunction]
pub(crate) fn variants() -> Vec<String> {
    library::ids().chain(library::multi_ids()).map(str::to_owned).collect()
}

/// A variant file for a section of `variants.ini`, and the parts that could not be translated.
#[pyfunction]
#[pyo3(signature = (text, name=None))]
pub(crate) fn import_ini(text: &str, name: Option<&str>) -> PyResult<(String, Vec<String>)> {
    let imported = lozenge_ini::import(text, name).map_err(fault)?;
    Ok((imported.text, imported.untranslated.iter().map(ToString::to_string).collect()))
}

/// A section of `variants.ini` for a game, and the parts that could not be translated.
#[pyfunction]
pub(crate) fn export_ini(variant: &Variant) -> PyResult<(String, Vec<String>)> {
    let rules = variant.rules.for_two().map_err(fault)?;
    let exported = lozenge_ini::export(rules);
    Ok((exported.text, exported.untranslated.iter().map(ToString::to_string).collect()))
}
