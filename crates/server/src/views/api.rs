//! The page of the API, made from its OpenAPI document: every operation with a request that works, an answer as it may
//! be, and what its form asks for. Not here: the document.

use serde_json::{Map, Value, json};

/// Operations that belong together.
#[derive(Clone, Debug)]
pub(crate) struct OperationGroup {
    pub(crate) title: String,
    pub(crate) id: String,
    pub(crate) operations: Vec<Operation>,
}

/// An operation of the API, as the page shows it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) access: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    /// An example of what is sent, as JSON.
    pub(crate) body: Option<String>,
    /// An example of the answer, and its type.
    pub(crate) answer: Option<String>,
    pub(crate) answer_type: String,
    pub(crate) status: String,
    /// How a connection is made: `request`, `stream` or `socket`.
    pub(crate) kind: &'static str,
}

/// A parameter in the address of a request.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// `path` or `query`.
    pub(crate) place: String,
    pub(crate) required: bool,
    pub(crate) about: String,
    pub(crate) choices: Vec<String>,
    /// The value in the example; empty if it has none.
    pub(crate) example: String,
}

/// Things that there are on this site, for examples that work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Examples {
    pub(crate) base: String,
    pub(crate) game: Option<String>,
    pub(crate) player: Option<String>,
}

impl Operation {
    /// The path in parts, between which a line may end.
    pub(crate) fn parts(&self) -> Vec<&str> {
        self.path.split_inclusive('/').collect()
    }

    /// Its description in parts: whether each is code, which the documentation writes between backticks.
    pub(crate) fn summary_parts(&self) -> Vec<(bool, &str)> {
        code_parts(&self.summary)
    }

    /// The example value of a parameter on this site.
    pub(crate) fn example(&self, parameter: &Parameter, examples: &Examples) -> String {
        let known = match (parameter.name.as_str(), self.path.split('/').nth(2)) {
            ("id", Some("games" | "{kind}" | "stream")) => examples.game.as_ref(),
            ("name", Some("players")) => examples.player.as_ref(),
            _ => None,
        };
        known.unwrap_or(&parameter.example).clone()
    }

    /// The request as a command line.
    pub(crate) fn curl(&self, examples: &Examples) -> String {
        let mut path = self.path.clone();
        let mut query = Vec::new();
        for parameter in &self.parameters {
            let value = self.example(parameter, examples);
            if parameter.place == "path" {
                path = path.replace(&format!("{{{}}}", parameter.name), &value);
            } else if parameter.required {
                query.push(format!("{}={value}", parameter.name));
            }
        }
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let mut line = match self.kind {
            "socket" => "curl --http1.1 -N -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' \
                         -H 'Sec-WebSocket-Key: bG96ZW5nZS1leGFtcGxlIQ=='"
                .to_owned(),
            "stream" => "curl -N".to_owned(),
            _ => "curl".to_owned(),
        };
        if self.method != "GET" {
            line += &format!(" -X {}", self.method);
        }
        if self.access != PUBLIC {
            line += match self.access {
                SESSION => " -b cookies.txt -c cookies.txt",
                _ => " -H \"Authorization: Bearer $TOKEN\"",
            };
        }
        if self.answer_type.starts_with("image/png") {
            line += " -o picture.png";
        }
        if let Some(body) = &self.body {
            let flat =
                serde_json::from_str::<Value>(body).map_or_else(|_| body.clone(), |value| value.to_string());
            line += &format!(
                " \\\n  -H 'Content-Type: application/json' \\\n  -d '{}'",
                flat.replace('\'', "'\\''")
            );
        }
        let gap = if line.len() > "curl -N".len() { " \\\n  " } else { " " };
        format!("{line}{gap}'{}{path}{query}'", examples.base)
    }
}

impl Parameter {
    pub(crate) fn about_parts(&self) -> Vec<(bool, &str)> {
        code_parts(&self.about)
    }
}

fn code_parts(text: &str) -> Vec<(bool, &str)> {
    text.split('`').enumerate().map(|(index, part)| (index % 2 == 1, part)).collect()
}

const PUBLIC: &str = "Open to everyone";
const GUEST: &str = "A token, or a session: without one a guest begins";
const TOKEN: &str = "A token or a session";
const SESSION: &str = "A session";

/// All operations in the groups of the document's tags.
pub(crate) fn groups(document: &Value) -> Vec<OperationGroup> {
    let tags = document["tags"].as_array().into_iter().flatten();
    let group = |tag: &Value| {
        let id = text(&tag["name"]);
        let mut operations = Vec::new();
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                if operation["tags"][0] == tag["name"] {
                    operations.push(read(document, path, method, operation));
                }
            }
        }
        OperationGroup { title: text(&tag["description"]), id, operations }
    };
    tags.map(group).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().replace('\n', " ")
}

fn read(document: &Value, path: &str, method: &str, operation: &Value) -> Operation {
    let sampler = Sampler { document };
    let success = operation["responses"]
        .as_object()
        .into_iter()
        .flatten()
        .find(|(status, _)| status.starts_with('1') || status.starts_with('2'));
    let (status, response) =
        success.map_or(("", &Value::Null), |(status, response)| (status.as_str(), response));
    let content = response["content"].as_object().and_then(|content| content.iter().next());
    let answer_type = content.map(|(kind, _)| kind.clone()).unwrap_or_default();
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    let kind = match (status, answer_type.as_str()) {
        ("101", _) => "socket",
        (_, "application/x-ndjson") => "stream",
        _ => "request",
    };
    let answer = content.filter(|(kind, _)| kind.contains("json")).map(|(_, content)| {
        let sample = sampler.sample("", &content["schema"], 0);
        let pretty = if kind == "stream" {
            serde_json::to_string(&sample)
        } else {
            serde_json::to_string_pretty(&sample)
        };
        pretty.unwrap_or_default()
    });
    let is_text = ["text/plain", "application/x-chess-pgn"].contains(&answer_type.as_str());
    let plain = is_text.then(|| plain_answer(path).to_owned());
    Operation {
        id: text(&operation["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        access: access(&operation["security"]),
        parameters: operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|parameter| read_parameter(&sampler, path, parameter))
            .collect(),
        body: (!body.is_null()).then(|| {
            let sent = request_example(&text(&operation["operationId"]));
            let sent = sent.unwrap_or_else(|| sampler.sample("", body, 0));
            serde_json::to_string_pretty(&sent).unwrap_or_default()
        }),
        answer: answer.or(plain),
        answer_type,
        status: status.to_owned(),
        kind,
    }
}

fn read_parameter(sampler: &Sampler<'_>, path: &str, parameter: &Value) -> Parameter {
    let name = text(&parameter["name"]);
    let schema = sampler.resolve(&parameter["schema"]);
    let choices = schema["enum"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>();
    let example = match (name.as_str(), path) {
        ("id", path) if path.starts_with("/api/variants") => "diamond".into(),
        ("id", path) if path.starts_with("/api/seeks") => "SEEK".into(),
        ("id", path) if path.starts_with("/api/tokens") => "TOKEN_ID".into(),
        ("id", _) => "GAME".into(),
        ("name", _) => "PLAYER".into(),
        ("kind", _) => "board".into(),
        ("uci", _) => "e3e4".into(),
        ("what", _) => "resign".into(),
        ("role", _) => "knight".into(),
        ("square", _) => "20".into(),
        ("variant", _) => "diamond".into(),
        ("speed", _) => "blitz".into(),
        ("number", _) => "1".into(),
        _ => choices.first().cloned().unwrap_or_default(),
    };
    let required = parameter["required"] == Value::Bool(true);
    let example = if required { example } else { String::new() };
    Parameter {
        name,
        place: text(&parameter["in"]),
        required,
        about: text(&parameter["description"]),
        choices,
        example,
    }
}

/// The permitted clients, by the requirements of an operation.
fn access(security: &Value) -> &'static str {
    let alternatives: Vec<&Map<String, Value>> =
        security.as_array().into_iter().flatten().filter_map(Value::as_object).collect();
    let open = alternatives.iter().any(|alternative| alternative.is_empty());
    let token = alternatives.iter().filter_map(|alternative| alternative.get("token")).collect::<Vec<_>>();
    match (open, token.first()) {
        (true, Some(scopes)) if scopes.as_array().is_some_and(Vec::is_empty) => PUBLIC,
        (true, Some(_)) => GUEST,
        (false, Some(_)) => TOKEN,
        (_, None) => SESSION,
    }
}

/// Requests that do something sensible as they stand, where a sample of the schema would not.
fn request_example(operation: &str) -> Option<Value> {
    Some(match operation {
        "make_game" => {
            json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 3}, "side": "white"})
        }
        "make_seek" => {
            json!({"variant": "diamond", "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}})
        }
        "act_in_game" => json!({"type": "resign"}),
        "put_settings" => json!({"theme": "dark", "language": "en"}),
        _ => return None,
    })
}

fn plain_answer(path: &str) -> &'static str {
    if path.ends_with("/pgn") {
        "[Event \"Casual game\"]\n[White \"Adelaide\"]\n[Black \"Bertram\"]\n[Result \"1-0\"]\n[Variant \"Diamond Chess\"]\n\n1. d4 d6 2. c4 1-0"
    } else {
        "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1"
    }
}

/// Makes examples of the document's schemas.
struct Sampler<'a> {
    document: &'a Value,
}

impl Sampler<'_> {
    fn resolve<'b>(&'b self, schema: &'b Value) -> &'b Value {
        match schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) {
            Some(pointer) => self.document.pointer(pointer).unwrap_or(&Value::Null),
            None => schema,
        }
    }

    /// An example of a value that bears a name. Deep ones are cut short.
    fn sample(&self, name: &str, schema: &Value, depth: usize) -> Value {
        let schema = self.resolve(schema);
        if let Some(example) = schema.get("example") {
            return example.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            let user = values.iter().find(|value| *value == "user");
            return user.or(values.first()).cloned().unwrap_or_default();
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut whole = Map::new();
            for part in parts {
                if let Value::Object(fields) = self.sample(name, part, depth) {
                    whole.extend(fields);
                }
            }
            return Value::Object(whole);
        }
        for several in ["oneOf", "anyOf"] {
            if let Some(first) = schema[several].as_array().and_then(|alternatives| {
                alternatives.iter().find(|alternative| alternative["type"] != "null")
            }) {
                return self.sample(name, first, depth + 1);
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").and_then(Value::as_str),
            kind => kind.as_str(),
        };
        match kind {
            Some("object") if depth < 7 => self.object(name, schema, depth),
            Some("array") if depth < 7 => self.array(name, schema, depth),
            Some("object") => json!({}),
            Some("array") => json!([]),
            Some("boolean") => json!(matches!(name, "rated" | "yours" | "royal")),
            Some("integer" | "number") => number(name),
            _ => json!(word(name)),
        }
    }

    fn object(&self, name: &str, schema: &Value, depth: usize) -> Value {
        let mut fields = Map::new();
        for (field, of) in schema["properties"].as_object().into_iter().flatten() {
            fields.insert(field.clone(), self.sample(field, of, depth + 1));
        }
        // A game has two players, and only engines have levels.
        if fields.get("kind").is_some_and(|kind| kind == "user") {
            fields.remove("level");
            if name == "black" {
                fields.insert("name".into(), json!("Bertram"));
            }
        }
        Value::Object(fields)
    }

    fn array(&self, name: &str, schema: &Value, depth: usize) -> Value {
        if let Some(items) = schema["prefixItems"].as_array() {
            return items.iter().map(|item| self.sample(name, item, depth + 1)).collect();
        }
        json!([self.sample(name, &schema["items"], depth + 1)])
    }
}

fn number(name: &str) -> Value {
    json!(match name {
        "created_at" | "updated_at" | "at" | "now" => 1_795_471_200_000_i64,
        "initial_s" => 300,
        "increment_s" => 3,
        "days" => 2,
        "rating" | "rating_min" => 1500,
        "rating_max" => 1800,
        "level" => 3,
        "squares" => 40,
        "files" | "ranks" => 9,
        "year" => 1999,
        "status" => 404,
        "white_ms" | "black_ms" | "white" | "black" => 288_400,
        _ => 1,
    })
}

fn word(name: &str) -> &'static str {
    match name {
        "id" | "game" | "next" => "k7Qm2xVd",
        "variant" => "diamond",
        "variant_name" => "Diamond Chess",
        "name" => "Adelaide",
        "author" => "Bruce Mills",
        "about" => "A diamond of forty squares with a Lake in the middle.",
        "fen" | "start_fen" => {
            "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1"
        }
        "result" => "*",
        "san" => "d4",
        "move" | "moves" | "uci" => "d3d4",
        "role" => "knight",
        "letter" => "N",
        "glyph" => "knight",
        "square" => "d3",
        "text" => "Good luck!",
        "password" | "new" | "old" => "correct horse battery",
        "label" => "My bot",
        "token" | "secret" => "loz_…",
        "theme" => "dark",
        "language" => "en",
        "board" => "heather",
        "detail" => "expected a variant of this id, found none",
        "title" => "Not found",
        "code" => "not_found",
        _ => "…",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Operation> {
        let document = serde_json::to_value(crate::routes::openapi()).unwrap();
        groups(&document).into_iter().flat_map(|group| group.operations).collect()
    }

    #[test]
    fn every_operation_has_an_example() {
        let document = serde_json::to_value(crate::routes::openapi()).unwrap();
        let operations = all();
        let methods =
            document["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap().len());
        assert_eq!(
            operations.len(),
            methods.sum::<usize>(),
            "an operation has no tag, or one that is not described"
        );
        let examples = Examples { base: "https://chess.example".into(), ..Examples::default() };
        for operation in &operations {
            let curl = operation.curl(&examples);
            assert!(!curl.contains('{') || operation.body.is_some(), "{curl}");
            assert!(curl.contains("https://chess.example/api/"), "{curl}");
            assert!(!operation.access.is_empty() && !operation.summary.is_empty(), "{}", operation.id);
            let silent = matches!(operation.status.as_str(), "101" | "204")
                || operation.answer_type.starts_with("image/");
            assert!(operation.answer.is_some() || silent, "{} {}", operation.id, operation.answer_type);
        }
    }

    #[test]
    fn examples_use_games_of_this_site() {
        let operations = all();
        let show = operations.iter().find(|operation| operation.id == "show_game").unwrap();
        let examples =
            Examples { base: "https://chess.example".into(), game: Some("abc".into()), player: None };
        assert_eq!(show.curl(&examples), "curl 'https://chess.example/api/games/abc'");
    }
}
