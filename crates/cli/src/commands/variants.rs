//! `lozenge variants …`.

use crate::{CliError, games, output};
use lozenge_explain::{Language, explain, explain_multi};
use lozenge_protocol::games::LoadError;
use lozenge_rules::geometry::Shape;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::notation::one_line::OneLine;
use lozenge_rules::variant::{MultiVariant, Roles};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// Prints the built-in games, one a line: id, name, size. Games of four come last.
pub(crate) fn list(json: bool) -> Result<(), CliError> {
    let two = library::ids().filter_map(library::game).map(AnyGame::Two);
    let known: Vec<_> =
        two.chain(library::multi_ids().filter_map(library::multi_game).map(AnyGame::Four)).collect();
    if json {
        return output::json(&known.iter().map(summary).collect());
    }
    let width = known.iter().map(|game| GameOverview::of(game).id.len()).max().unwrap_or(0);
    let lines: Vec<String> =
        known.iter().map(|game| format!("{:width$}  {}", GameOverview::of(game).id, size(game))).collect();
    output::line(lines.join("\n"))
}

/// Explains a game.
pub(crate) fn show(variant: &str, json: bool) -> Result<(), CliError> {
    let any = games::resolve_any(variant)?;
    let game = match &any {
        AnyGame::Two(game) => game,
        AnyGame::Four(game) => return show_four(&any, game, json),
    };
    let text = explain(game, Language::English);
    if !json {
        return output::line(text.trim_end());
    }
    let mut value = summary(&any);
    value["author"] = game.author().into();
    value["year"] = game.year().into();
    value["source"] = game.source().into();
    value["about"] = game.about().into();
    value["readings"] = game.readings().into();
    value["pieces"] = game
        .roles()
        .iter()
        .map(|(_, info)| json!({ "letter": info.letter.to_string(), "name": info.name }))
        .collect();
    value["starts"] = game.starts().iter().map(|start| json!(start.fen)).collect();
    value["text"] = text.into();
    output::json(&value)
}

/// Shows a game of four.
fn show_four(any: &AnyGame, game: &Arc<MultiVariant>, json: bool) -> Result<(), CliError> {
    let text = explain_multi(game, Language::English);
    if !json {
        return output::line(text.trim_end());
    }
    let mut value = summary(any);
    value["author"] = game.author().into();
    value["year"] = game.year().into();
    value["source"] = game.source().into();
    value["about"] = game.about().into();
    value["readings"] = game.readings().into();
    value["pieces"] = (game.roles().iter())
        .map(|(_, info)| json!({ "letter": info.letter.to_string(), "name": info.name }))
        .collect();
    value["starts"] = json!([game.start()]);
    value["text"] = text.into();
    output::json(&value)
}

/// Prints `FILE: ok, …` for each file, or fails with every fault of all files.
pub(crate) fn check(files: &[PathBuf], json: bool) -> Result<(), CliError> {
    let checked: Vec<_> = files
        .iter()
        .map(|file| {
            let name = file.to_string_lossy().into_owned();
            let game = games::check(&name);
            (name, game)
        })
        .collect();
    if json {
        let reports: Vec<Value> = checked.iter().map(|(name, game)| report(name, game)).collect();
        output::json(&reports.into())?;
        return if checked.iter().all(|(_, game)| game.is_ok()) { Ok(()) } else { Err(CliError::Invalid) };
    }
    let mut faults = Vec::new();
    for (name, game) in checked {
        match game {
            Ok(game) => {
                output::line(format_args!("{name}: ok, {}", size(&game)))?;
                for note in notes(&game) {
                    output::line(format_args!("{name}: note: {note}"))?;
                }
            }
            Err(LoadError::Variant(error)) => faults.extend(error.faults.iter().map(ToString::to_string)),
            Err(error) if files.len() == 1 => return Err(error.into()),
            Err(error) => faults.push(OneLine(error).to_string()),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(CliError::Faults(faults)) }
}

/// The result of `check --json` for a file.
fn report(name: &str, game: &Result<AnyGame, LoadError>) -> Value {
    let faults: Vec<Value> = match game {
        Ok(_) => Vec::new(),
        Err(LoadError::Variant(error)) => (error.faults.iter())
            .map(|fault| {
                json!({
                    "file": fault.location.source,
                    "line": fault.location.line,
                    "column": fault.location.column,
                    "message": fault.kind.to_string(),
                })
            })
            .collect(),
        Err(error) => vec![json!({ "file": name, "message": error.to_string() })],
    };
    let mut value = json!({ "file": name, "valid": game.is_ok(), "faults": faults });
    if let Ok(game) = game {
        value["variant"] = summary(game);
        value["notes"] = notes(game).into();
    }
    value
}

/// Likely mistakes that are not faults: names of pictures that are probably misspelled. Other unknown names are allowed; the
/// picture is then the letter of the piece.
fn notes(game: &AnyGame) -> Vec<String> {
    let pictures = GameOverview::of(game).roles.iter().map(|(_, info)| info.picture.as_str());
    pictures
        .filter_map(|name| Some((name, similar_picture(name)?)))
        .map(|(name, similar)| format!("there is no picture `{name}`; did you mean `{similar}`?"))
        .collect()
}

/// The known picture that an unknown name resembles.
fn similar_picture(name: &str) -> Option<&'static str> {
    if name.is_empty() || lozenge_picture::has_glyph(name) {
        return None;
    }
    let known = lozenge_picture::glyph_names().iter().copied();
    let (edits, similar) = known.map(|known| (strsim::osa_distance(name, known), known)).min()?;
    (edits <= 2 && edits * 2 < name.chars().count()).then_some(similar)
}

/// Prints a commented variant file to begin with.
pub(crate) fn new(id: &str) -> Result<(), CliError> {
    output::line(template(id).trim_end())
}

/// Facts about a game for the summaries of all games.
struct GameOverview<'g> {
    id: &'g str,
    name: &'g str,
    shape: &'g Shape,
    roles: &'g Roles,
    /// Their number, if it is not two.
    players: Option<usize>,
}

impl<'g> GameOverview<'g> {
    fn of(game: &'g AnyGame) -> Self {
        match game {
            AnyGame::Two(game) => Self {
                id: game.id(),
                name: game.name(),
                shape: game.shape(),
                roles: game.roles(),
                players: None,
            },
            AnyGame::Four(game) => Self {
                id: game.id(),
                name: game.name(),
                shape: game.shape(),
                roles: game.roles(),
                players: Some(game.seats().len() as usize),
            },
        }
    }
}

/// The id, name and size of a game as JSON.
fn summary(game: &AnyGame) -> Value {
    let GameOverview { id, name, shape, roles, players } = GameOverview::of(game);
    let mut value = json!({
        "id": id,
        "name": name,
        "width": shape.width(),
        "height": shape.height(),
        "squares": shape.len(),
        "pieceTypes": roles.len(),
    });
    if let Some(players) = players {
        value["players"] = players.into();
    }
    value
}

/// `Diamond Chess (9x9, 40 squares, 6 pieces)`; for four players their number follows.
fn size(game: &AnyGame) -> String {
    let GameOverview { name, shape, roles, players, .. } = GameOverview::of(game);
    let (width, height) = (shape.width(), shape.height());
    let players = players.map_or_else(String::new, |players| format!(", {players} players"));
    format!("{name} ({width}x{height}, {} squares, {} pieces{players})", shape.len(), roles.len())
}

fn template(id: &str) -> String {
    let mut name = id.replace('-', " ");
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    library::template(id, &name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_pictures_are_noted() {
        for (name, similar) in
            [("quen", Some("queen")), ("rok", Some("rook")), ("queen", None), ("", None), ("lapidary", None)]
        {
            assert_eq!(similar_picture(name), similar, "{name}");
        }
        assert!(library::ids().filter_map(library::game).all(|game| notes(&AnyGame::Two(game)).is_empty()));
    }
}
