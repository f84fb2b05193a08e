//! From the tree of a document to a [`VariantDef`]: keys, types and words; every fault is collected.
//! Whether the parts fit together is for `compile`.

use super::def::*;
use super::document::{At, Documents, MAX_EXTENDS, TomlNode, TomlTable, Value, extend};
use super::error::{Fault, FaultKind, FileLocation, VariantError, suggestion};
use super::reader::TableReader;
use crate::geometry::layout::View;
use crate::geometry::{Symmetry, Wrap};
use crate::piece::ByColor;

/// The keys of a variant file.
const KEYS: &[&str] = &[
    "id",
    "name",
    "aliases",
    "author",
    "year",
    "source",
    "about",
    "readings",
    "options",
    "board",
    "regions",
    "distance",
    "roles",
    "fusion",
    "start",
    "shuffle",
    "promotion",
    "goal",
    "castling",
    "draws",
    "extends",
    "players",
    "teams",
    "seats",
];

/// Keys that older files had, by table: files in the databases of servers still have them.
const LEGACY_KEYS: [(&str, &str, &str); 3] =
    [("promotion", "men", "pieces"), ("goal", "men", "pieces"), ("castling", "man", "piece")];

/// Which keys a file may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum KeySet {
    /// Those of the reference, `docs/variants/reference.md`.
    Current,
    /// Those of older files as well.
    Legacy,
}

/// Reads a variant file. `source` names it in faults; `lookup` gives the text of a game that is
/// extended, by the name after `extends`.
///
/// # Errors
/// Every fault in the keys, types and words of the text.
pub(crate) fn read(
    source: &str,
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    keys: KeySet,
) -> Result<(VariantDef, Vec<Fault>), VariantError> {
    let mut documents = Documents::default();
    let mut faults = Vec::new();
    let root = documents.parse(source, text, &mut faults);
    let at = root.at;
    let mut table = inherit(root, &mut documents, &mut faults, lookup);
    if keys == KeySet::Legacy {
        rename_legacy_keys(&mut table);
    }
    let complete = faults.is_empty();
    let mut reader =
        TableReader { documents: &documents, faults, options: Vec::new(), options_known: complete };
    let def = reader.variant(&table, at);
    let mut faults = reader.faults;
    if !complete {
        // Drop faults that follow from bad TOML: missing keys may be in the unreadable part, and bad TOML is no value.
        let broken: Vec<(FileLocation, Option<FileLocation>)> = (faults.iter())
            .filter(|fault| matches!(fault.kind, FaultKind::Syntax(_)))
            .map(|fault| (fault.location.clone(), fault.inherited.clone()))
            .collect();
        faults.retain(|fault| match fault.kind {
            FaultKind::Missing { .. } => false,
            FaultKind::Syntax(_) => true,
            _ => !broken.contains(&(fault.location.clone(), fault.inherited.clone())),
        });
    }
    match def {
        // Parts that refer to one that could not be read would give faults of their own.
        Some(mut def) if complete => {
            def.documents = documents;
            Ok((def, faults))
        }
        _ => {
            sort(&mut faults);
            Err(VariantError { faults })
        }
    }
}

/// Gives the keys of older files their present names.
fn rename_legacy_keys(table: &mut TomlTable) {
    for (parent, legacy, present) in LEGACY_KEYS {
        let rename = |node: &mut TomlNode| {
            if let Value::Table(table) = &mut node.value
                && let Some(value) = table.remove(legacy)
            {
                table.entry(present.into()).or_insert(value);
            }
        };
        match table.get_mut(parent).map(|(_, node)| node) {
            Some(TomlNode { value: Value::List(items), .. }) => items.iter_mut().for_each(rename),
            Some(node) => rename(node),
            None => {}
        }
    }
}

/// By location, each fault once.
pub(crate) fn sort(faults: &mut Vec<Fault>) {
    faults.sort_by(|a, b| (&a.location, &a.inherited).cmp(&(&b.location, &b.inherited)));
    faults.dedup();
}

/// Follows `extends` down to a game that extends nothing, then lays each file over the one below.
fn inherit(
    root: TomlNode,
    documents: &mut Documents,
    faults: &mut Vec<Fault>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> TomlTable {
    let mut layers = Vec::new();
    let mut next = Some(root);
    while let Some(TomlNode { value: Value::Table(mut table), .. }) = next.take() {
        if let Some((_, node)) = table.remove("extends") {
            documents.mark_extends(node.at);
            match base(&node, documents, layers.len(), lookup) {
                Ok((file, text)) => next = Some(documents.parse(&file, &text, faults)),
                Err(kind) => faults.push(documents.fault(node.at, kind)),
            }
        }
        // The names of a game are not those of the games that extend it.
        if !layers.is_empty() {
            table.remove("aliases");
        }
        layers.push(table);
    }
    let mut merged = layers.pop().unwrap_or_default();
    while let Some(layer) = layers.pop() {
        extend(&mut merged, layer);
    }
    merged
}

/// The name and text of the file after `extends`, in which `depth` files have extended another one so far.
fn base(
    extends: &TomlNode,
    documents: &Documents,
    depth: usize,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<(String, String), FaultKind> {
    let fault = |expected: String, found: String| Err(FaultKind::Value { expected, found });
    let Value::Text(name) = &extends.value else {
        return fault("the id of a game in quotes".into(), extends.kind());
    };
    // Faults name files, not games.
    let file = format!("{name}.toml");
    let extended =
        || documents.names().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" < ");
    if documents.names().contains(&file) {
        return fault("a game that does not extend this one".into(), format!("{} < `{file}`", extended()));
    }
    if depth >= MAX_EXTENDS {
        let expected = format!("at most {MAX_EXTENDS} games that extend one another");
        return fault(expected, format!("{} < `{file}`", extended()));
    }
    match lookup(name) {
        Some(text) => Ok((file, text)),
        None => {
            let ids: Vec<&str> = super::builtin::ids().collect();
            let quoted: String = name.chars().take(40).collect();
            fault(
                format!("the id of a built-in game, or of a file `{quoted}.toml` beside this one"),
                format!("neither{}", suggestion(&ids, name)),
            )
        }
    }
}

impl TableReader<'_> {
    fn variant(&mut self, table: &TomlTable, at: At) -> Option<VariantDef> {
        self.only(table, KEYS);
        // A table with an unknown name may be any of the known ones, misspelled.
        let all_named =
            (table.iter()).all(|(key, (_, node))| KEYS.contains(&key.as_str()) || !node.is_table());
        // One with tables under capital letters has pieces.
        let no_misnamed_roles = (table.iter()).all(|(key, (_, node))| {
            KEYS.contains(&key.as_str())
                || !matches!(&node.value, Value::Table(table) if table.iter().any(|(letter, (_, node))| {
                    matches!(letter.as_bytes(), [b'A'..=b'Z']) && node.is_table()
                }))
        });
        self.read_options(table);
        let id = self.required_text(table, at, "id", "a short name in small letters");
        let name = self.required_text(table, at, "name", "the game's full name");
        let year = table.get("year").and_then(|(_, node)| self.integer_node(node)).map(|year| year.value);
        let readings = self.texts(table, "readings", "a list of sentences");
        let readings = readings.into_iter().map(|text| text.value).collect();
        let aliases = self.texts(table, "aliases", "a list of names");
        let board = match self.required(table, at, "board", "the board, drawn").map(|node| (node.at, node)) {
            Some((at, TomlNode { value: Value::Table(board), .. })) => self.board(board, at),
            Some((_, node)) => {
                self.wrong(node, "a table");
                None
            }
            None => None,
        };
        let regions = self.regions(table);
        let (distance, distance_readable) = self.whole(|reader| reader.distance(table));
        let (roles, roles_readable) = self.whole(|reader| reader.roles(table, at));
        let fusions = self.fusions(table);
        let starts = self.starts(table, at);
        let shuffle = self.shuffle(table);
        let promotions = self.promotions(table);
        let goals = self.goals(table);
        let (castlings, castlings_readable) = self.whole(|reader| reader.castlings(table));
        let readable = Readable {
            letters: no_misnamed_roles && !roles.is_empty(),
            kings: no_misnamed_roles && roles_readable,
            regions: all_named && table.get("regions").is_none_or(|(_, node)| node.is_table()),
            distance: all_named && distance_readable,
            castlings: all_named && castlings_readable,
        };
        let draws = self.draws(table, at);
        let seats = self.seats(table, at);
        Some(VariantDef {
            documents: Documents::default(),
            at,
            id: id?,
            name: name?,
            author: self.prose(table, "author"),
            year,
            source: self.prose(table, "source"),
            about: self.prose(table, "about"),
            readings,
            aliases,
            seats: seats?,
            board: board?,
            regions,
            distance,
            roles,
            fusions,
            starts,
            shuffle,
            promotions,
            goals,
            castlings,
            draws,
            readable,
        })
    }

    fn read_options(&mut self, table: &TomlTable) {
        let Some((_, options)) = self.table(table, "options") else { return };
        for (name, (_, node)) in options {
            match self.text_node(node) {
                Some(text) => self.options.push((name.clone(), text.value)),
                None => self.options_known = false,
            }
        }
    }

    fn board(&mut self, table: &TomlTable, at: At) -> Option<BoardDef> {
        self.only(table, &["squares", "wrap", "view", "symmetry", "forward"]);
        let squares = self.required_text(table, at, "squares", "the board drawn with `.` and `*`");
        let (files, ranks) = (Wrap { files: true, ranks: false }, Wrap { files: false, ranks: true });
        let both = Wrap { files: true, ranks: true };
        let wraps = [("none", Wrap::default()), ("files", files), ("ranks", ranks), ("both", both)];
        // With an unknown word, runs of squares may cross any edge.
        let unread = if table.contains_key("wrap") { both } else { Wrap::default() };
        let wrap = self.word(table, "wrap", &wraps).map_or(unread, |wrap| wrap.value);
        let views = [("square", View::Square), ("diamond", View::Diamond), ("hexagon", View::Hexagon)];
        let view = self.word(table, "view", &views).map_or(View::Square, |view| view.value);
        let default = Located { at, value: Symmetry::MirrorRanks };
        let (symmetry, symmetry_readable) =
            self.whole(|reader| reader.word(table, "symmetry", &Symmetry::NAMED));
        let symmetry = symmetry.unwrap_or(default);
        let white = Located { at, value: (0, 1) };
        let black = symmetry.value.vector(crate::geometry::Vector::new(0, 1));
        let black = Located { at, value: (black.dx.into(), black.dy.into()) };
        let forward = match self.table(table, "forward") {
            None => ByColor::new(white, black),
            Some((at, forward)) => {
                self.only(forward, &["white", "black"]);
                let white = self.vector(forward, at, "white");
                let black = self.vector(forward, at, "black");
                ByColor::new(white?, black?)
            }
        };
        let enemies = vec![symmetry.value];
        Some(BoardDef {
            rows: squares?.rows(),
            wrap,
            view,
            symmetry,
            symmetry_readable,
            enemies,
            second_enemies: None,
            forward,
        })
    }

    fn vector(&mut self, table: &TomlTable, at: At, key: &'static str) -> Option<Located<(i64, i64)>> {
        let node = self.required(table, at, key, "the step straight forward, [files, ranks]")?;
        let [dx, dy] = self.pair(node, "two whole numbers, [files, ranks]")?;
        Some(Located { at: node.at, value: (dx.value, dy.value) })
    }

    fn regions(&mut self, table: &TomlTable) -> Vec<(Text, AreaDef)> {
        let Some((_, regions)) = self.table(table, "regions") else { return Vec::new() };
        let mut read = Vec::new();
        // In the order of the file, that of an extended game first, so that one may use another.
        let mut regions: Vec<_> = regions.iter().collect();
        regions.sort_by_key(|(_, (at, _))| (core::cmp::Reverse(at.document), at.byte));
        for (name, (at, node)) in regions {
            let name = Text { at: *at, value: name.clone() };
            let area = match &node.value {
                Value::Table(area) => {
                    self.only(area, &["around", "within"]);
                    let around = self.required_text(area, node.at, "around", "squares");
                    let within = self
                        .required(area, node.at, "within", "steps")
                        .and_then(|node| self.integer_node(node));
                    around.zip(within).map(|(around, within)| AreaDef::Around { around, within })
                }
                _ => self.text_node(node).map(AreaDef::Listed),
            };
            read.push((name, area.unwrap_or(AreaDef::Unreadable)));
        }
        read
    }

    fn distance(&mut self, table: &TomlTable) -> Option<DistanceDef> {
        let (at, distance) = self.table(table, "distance")?;
        self.only(distance, &["from", "free"]);
        let from = self.required_text(distance, at, "from", "the squares of White's centre");
        let free = match distance.get("free") {
            Some((_, node)) => self.integer_node(node)?,
            None => Located { at, value: 0 },
        };
        Some(DistanceDef { from: from?, free })
    }

    fn roles(&mut self, table: &TomlTable, at: At) -> Vec<RoleDef> {
        let Some(TomlNode { at: roles_at, value }) = self.required(table, at, "roles", "the pieces") else {
            return Vec::new();
        };
        let Value::Table(roles) = value else {
            self.fault(
                *roles_at,
                FaultKind::Value { expected: "tables [roles.K], …".into(), found: "no table".into() },
            );
            return Vec::new();
        };
        let compounds: Vec<&String> = match table.get("fusion").map(|(_, node)| &node.value) {
            Some(Value::Table(fusions)) => fusions.keys().collect(),
            _ => Vec::new(),
        };
        let mut read = Vec::new();
        for (letter, (at, node)) in roles {
            // An invalid letter may stand for that of a compound.
            let compound = compounds.contains(&letter)
                || !matches!(letter.as_bytes(), [b'A'..=b'Z']) && !compounds.is_empty();
            let letter = Text { at: *at, value: letter.clone() };
            match &node.value {
                Value::Table(role) => read.push(self.role(letter, role, compound)),
                // `D = false` under [roles] takes away a role of the game that is extended.
                Value::Boolean(false) => {}
                _ => {
                    self.wrong(
                        node,
                        "a table, or false for a piece of the extended game that is not in this one",
                    );
                    read.push(RoleDef::unreadable(letter));
                }
            }
        }
        read
    }

    fn role(&mut self, letter: Text, table: &TomlTable, compound: bool) -> RoleDef {
        let at = letter.at;
        self.only(table, &["name", "picture", "royal", "pawn", "en_passant", "wall", "moves"]);
        let ((name, moves), is_readable) = self.whole(|reader| {
            let name = reader.required_text(table, at, "name", "the piece's name");
            let moves = match table.get("moves").map(|(_, node)| node) {
                None if compound => None,
                _ => Some(reader.moves_of(table, at)),
            };
            (name, moves)
        });
        let en_passant_at = table.get("en_passant").map_or(at, |(_, node)| node.at);
        RoleDef {
            picture: self.prose(table, "picture"),
            royal: self.flag(table, "royal", false),
            pawn: self.flag(table, "pawn", false),
            en_passant: Located { at: en_passant_at, value: self.flag(table, "en_passant", false) },
            wall: self.removable_text(table, "wall"),
            name: name.unwrap_or_else(|| RoleDef::unnamed(at)),
            letter,
            moves,
            is_readable,
        }
    }

    fn moves_of(&mut self, table: &TomlTable, at: At) -> Vec<MovesDef> {
        match self.required(table, at, "moves", "the piece's moves in Betza notation") {
            Some(node @ TomlNode { value: Value::Text(_), .. }) => self
                .text_node(node)
                .map(|betza| MovesDef { betza, on: None, edge: None, gain: None, free: None })
                .into_iter()
                .collect(),
            Some(_) => {
                let tables = self.tables(table, "moves");
                tables.into_iter().filter_map(|(at, moves)| self.moves(moves, at)).collect()
            }
            None => Vec::new(),
        }
    }

    fn moves(&mut self, table: &TomlTable, at: At) -> Option<MovesDef> {
        self.only(table, &["betza", "on", "edge", "gain", "free"]);
        let betza = self.required_text(table, at, "betza", "moves in Betza notation");
        let gains = [("any-gain", Gain::Any), ("most-gain", Gain::Most), ("level", Gain::Level)];
        let (gain, gain_readable) = self.whole(|reader| reader.word(table, "gain", &gains));
        let gain = gain.map(|gain| gain.value);
        let (on, edge) = (self.text(table, "on"), self.text(table, "edge"));
        let free = table.get("free").and_then(|(_, node)| self.integer_node(node));
        // It is for the gain, of which nothing is known.
        let free = free.filter(|_| gain_readable);
        Some(MovesDef { betza: betza?, on, edge, gain, free })
    }

    /// `[fusion]`: each compound and its two parts.
    fn fusions(&mut self, table: &TomlTable) -> Vec<FusionDef> {
        let Some((_, fusions)) = self.table(table, "fusion") else { return Vec::new() };
        let mut read = Vec::new();
        for (letter, (at, node)) in fusions {
            // `Q = false` takes away a fusion of the game that is extended.
            if matches!(node.value, Value::Boolean(false)) {
                continue;
            }
            let into = Text { at: *at, value: letter.clone() };
            read.extend(self.text_node(node).map(|parts| FusionDef { into, parts }));
        }
        read
    }

    fn starts(&mut self, table: &TomlTable, at: At) -> Vec<StartDef> {
        match table.get("start").map(|(_, node)| node) {
            None => {
                self.fault(at, FaultKind::Missing { key: "start", what: "where the pieces stand at first" })
            }
            Some(node @ TomlNode { value: Value::Text(_), .. }) => {
                let start = self.text_node(node).map(|fen| StartDef { name: String::new(), fen });
                return start.into_iter().collect();
            }
            Some(TomlNode { at, value: Value::List(items) }) if items.is_empty() => {
                let (expected, found) = ("at least one starting position".into(), "none".into());
                self.fault(*at, FaultKind::Value { expected, found });
            }
            Some(_) => {}
        }
        let tables = self.tables(table, "start");
        let read = tables.into_iter().filter_map(|(at, start)| {
            self.only(start, &["name", "fen"]);
            let name = self.prose(start, "name");
            self.required_text(start, at, "fen", "a FEN").map(|fen| StartDef { name, fen })
        });
        read.collect()
    }

    fn shuffle(&mut self, table: &TomlTable) -> Option<ShuffleDef> {
        let (at, shuffle) = self.table(table, "shuffle")?;
        self.only(shuffle, &["on", "place", "king", "rook"]);
        let on = self.required_text(shuffle, at, "on", "White's squares")?;
        let place = self.texts(shuffle, "place", "a list of pieces, step by step");
        let castles = ["king", "rook"].iter().any(|&key| shuffle.contains_key(key));
        let [king, rook] = ["king", "rook"].map(|key| {
            castles
                .then(|| self.required_text(shuffle, at, key, "targets of short and long castling"))
                .flatten()
        });
        Some(ShuffleDef { on, place, king, rook })
    }

    fn promotions(&mut self, table: &TomlTable) -> Vec<PromotionDef> {
        let tables = self.tables(table, "promotion");
        let read = tables.into_iter().filter_map(|(at, promotion)| {
            self.only(promotion, &["pieces", "on", "to", "color"]);
            let pieces =
                self.required_text(promotion, at, "pieces", "letters of the pieces that are promoted");
            let on = self.required_text(promotion, at, "on", "squares");
            let to = self.required_text(promotion, at, "to", "letters to choose from");
            let color = self.text(promotion, "color");
            Some(PromotionDef { pieces: pieces?, on: on?, to: to?, color })
        });
        read.collect()
    }

    fn goals(&mut self, table: &TomlTable) -> Vec<GoalDef> {
        let tables = self.tables(table, "goal");
        let read = tables.into_iter().filter_map(|(at, goal)| {
            self.only(goal, &["pieces", "on", "color"]);
            let pieces = self.required_text(goal, at, "pieces", "letters of the pieces that win by arriving");
            let on = self.required_text(goal, at, "on", "squares");
            let color = self.text(goal, "color");
            Some(GoalDef { pieces: pieces?, on: on?, color })
        });
        read.collect()
    }

    fn castlings(&mut self, table: &TomlTable) -> Vec<CastlingDef> {
        let tables = self.tables(table, "castling");
        let read = tables.into_iter().filter_map(|(at, castling)| {
            self.only(
                castling,
                &["color", "name", "king", "rook", "piece", "right", "out_of_check", "through_check"],
            );
            let color = self.required_text(castling, at, "color", "white or black");
            let name = self.required_text(castling, at, "name", "short or long");
            let king = self.required_text(castling, at, "king", "from-to");
            let rook = self.required_text(castling, at, "rook", "from-to");
            let piece = self.text(castling, "piece").unwrap_or(Text { at, value: "R".into() });
            Some(CastlingDef {
                at,
                color: color?,
                name: name?,
                king: king?,
                rook: rook?,
                piece,
                right: self.text(castling, "right"),
                out_of_check: self.flag(castling, "out_of_check", false),
                through_check: self.flag(castling, "through_check", false),
            })
        });
        read.collect()
    }

    fn draws(&mut self, table: &TomlTable, at: At) -> DrawsDef {
        let empty = TomlTable::new();
        let (at, draws) = self.table(table, "draws").unwrap_or((at, &empty));
        self.only(draws, &["repetition", "moves", "stalemate", "dead"]);
        let results = [("draw", Stalemate::Draw), ("loss", Stalemate::Loss), ("win", Stalemate::Win)];
        let stalemate =
            self.word(draws, "stalemate", &results).map_or(Stalemate::Draw, |result| result.value);
        let dead = match draws.get("dead").map(|(_, node)| node) {
            None => Vec::new(),
            Some(TomlNode { value: Value::List(items), .. }) => {
                items.iter().filter_map(|item| self.text_node(item)).collect()
            }
            Some(node) => {
                self.wrong(node, "a list such as [\"K v K\"]");
                Vec::new()
            }
        };
        DrawsDef {
            repetition: self.claim_and_end(draws, at, "repetition", [3, 5]),
            moves: self.claim_and_end(draws, at, "moves", [50, 75]),
            stalemate,
            dead,
        }
    }

    fn claim_and_end(
        &mut self,
        table: &TomlTable,
        at: At,
        key: &str,
        default: [i64; 2],
    ) -> [Located<i64>; 2] {
        let default = default.map(|value| Located { at, value });
        match table.get(key).map(|(_, node)| node) {
            None => default,
            Some(node) => self.pair(node, "two whole numbers, [claim, end]; 0 for never").unwrap_or(default),
        }
    }
}
