/** The package as its users see it: `cargo xtask wasm` builds it and runs this. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = process.env.LOZENGE_PACKAGE ?? resolve(root, "target/npm/lozenge");
const lozenge = await import(pathToFileURL(resolve(folder, "node.js")));
const { Engine, Position, Variant } = lozenge;

test("the example of the README runs", async () => {
  const readme = readFileSync(resolve(root, "crates/wasm/npm/README.md"), "utf8");
  const [, example = ""] = /```js\n(.*?)```/s.exec(readme);
  assert.match(example, /^import .* from "lozenge";/);
  const file = join(mkdtempSync(join(tmpdir(), "lozenge-")), "example.mjs");
  writeFileSync(file, example.replace('"lozenge"', JSON.stringify(String(pathToFileURL(resolve(folder, "node.js"))))));
  await import(pathToFileURL(file));
});

test("games are known", () => {
  const ids = lozenge.variants();
  for (const id of ["diamond", "diagonal", "diamondring", "chess"]) assert.ok(ids.includes(id));
  const diamond = new Variant("diamond");
  assert.equal(diamond.name, "Diamond Chess");
  assert.equal(diamond.squares.length, 40);
  assert.equal(diamond.pieces.K, "King");
  assert.ok(diamond.equals(new Variant(resolve(root, "variants/diamond.toml"))));
});

test("faults have the messages of the command line", () => {
  const calls = [
    [() => new Variant("dimond"), "dimond"],
    [() => new Variant("nowhere/game.toml"), "nowhere/game.toml: "],
    [() => Variant.parse("id = 3"), "<text>:1:6: "],
    [() => new Position("diamond", "8/8 w - - 0 1"), "expected"],
    [() => new Position(3), "expected a Variant or an id, found 3"],
    [() => new Position("chess").play("e2e5"), "e2e5"],
    [() => new Position("chess").san("e9e5"), "e9e5"],
    [() => new Position("chess").undo(), "expected a move"],
    [() => new Position("chess").pieceAt("z1"), "expected a square"],
    [() => new Position("chess").svg({ theme: "green" }), "expected `light`"],
    [() => new Engine().analyse(new Position("chess")), "expected a limit"],
    [() => new Engine().analyse(new Position("chess"), { moveTime: 5 }), "unknown option `moveTime`"],
    [() => new Engine().analyse(new Position("chess"), { nodes: "many" }), "expected `nodes` as a whole number"],
    [() => new Engine({ level: 99 }), "expected a level"],
    [() => new Engine({ hash: 1 << 24 }), "expected 16777216 MiB"],
    [() => lozenge.readPgn('[Variant "none"]\n\n1. e4 *'), "Variant"],
    [() => lozenge.importIni("[x:xiangqi]"), "xiangqi"],
  ];
  for (const [call, message] of calls) {
    assert.throws(call, (fault) => fault.name === "LozengeError" && fault.message.includes(message), message);
  }
});

test("all faults of a file are reported", () => {
  const broken = resolve(root, "testdata/protocol/games/broken.toml");
  assert.throws(() => new Variant(broken), (fault) => fault.message.split("\n").length > 1);
});

test("moves and texts", () => {
  const position = new Position("chess");
  assert.equal(position.legalMoves().length, 20);
  assert.equal(position.play("e2e4"), "e4");
  assert.equal(position.play("Nf6"), "Nf6");
  assert.deepEqual(position.moves(), ["e2e4", "g8f6"]);
  assert.equal(position.uci("e5"), "e4e5");
  assert.equal(position.san("b1c3"), "Nc3");
  assert.equal(position.turn, "white");
  assert.equal(position.pieceAt("f6"), "n");
  assert.equal(position.pieceAt("g8"), undefined);
  const copy = position.copy();
  assert.equal(position.undo(), "g8f6");
  assert.ok(!copy.equals(position));
  assert.ok(String(copy).startsWith("rnbqkb1r/pppppppp/5n2/"));
  assert.equal(position.threat().turn, "white");
});

test("ends of games", () => {
  const won = new Position("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1");
  assert.equal(won.status(), "ongoing");
  assert.equal(won.play("g7h8"), "h8#");
  assert.equal(won.status(), "goal");
  assert.equal(won.outcome(), "White wins by reaching the goal");
  assert.deepEqual(won.legalMoves(), []);
  const knights = new Position("chess");
  for (let round = 0; round < 2; round++) for (const move of ["g1f3", "g8f6", "f3g1", "f6g8"]) knights.play(move);
  assert.equal(knights.outcome(), undefined);
  assert.equal(knights.outcome(true), "draw by repetition");
});

test("pictures", () => {
  const position = new Position("diamond");
  const drawn = position.svg({ theme: "dark", flipped: true });
  assert.ok(drawn.startsWith("<svg "));
  assert.notEqual(drawn, position.svg());
});

const PGN = `[Event "Rated blitz game"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "a"]
[Black "b"]
[Result "1-0"]
[Variant "Standard"]
[WhiteElo "1500"]

{ Before. } 1. e4 $1 { King's pawn. } 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0

`;

test("games of four are played, and read from PGN", () => {
  for (const id of ["diamondring-four", "diamondring-teams"]) assert.ok(lozenge.variants().includes(id));
  const position = new Position("diamondring-four");
  assert.deepEqual([position.turn, position.legalMoves().length, position.perft(2)], ["red", 26, 679]);
  assert.deepEqual([position.pieceAt("g1"), position.pieceAt("a7")], ["rK", "bK"]);
  assert.equal(position.play("c1b1"), "b1");
  for (const turn of ["R", "T", "R"]) position.play(turn);
  assert.deepEqual([position.status(), position.outcome()], ["decided", "Red wins: places 1-4-3-2"]);
  assert.equal(position.undo(), "R");
  assert.deepEqual([position.turn, position.outcome()], ["green", undefined]);
  assert.ok(position.svg().startsWith("<svg "));
  const json = JSON.parse(position.json(0));
  assert.deepEqual(json.steps.map(({ uci }) => uci), position.moves());
  const text = position.pgn({ Red: "a", Green: "d" });
  assert.match(text, /\[Blue "\?"\]/);
  const [again, two] = lozenge.readPgn(text + PGN);
  assert.deepEqual([again.moves(), again.pgn(), two.turn], [["c1b1", "R", "T"], text, "black"]);
  assert.throws(() => position.threat(), /two players/);
  assert.throws(() => lozenge.exportIni(new Variant("diamondring-four")), /two players, found one of four/);
  assert.throws(() => lozenge.exportIni(new Variant("threearmies")), /two players, found one of three/);
  const found = new Engine({ hash: 1 }).analyse(position, { nodes: 500, multipv: 2 });
  assert.ok(position.legalMoves().includes(found.best) && found.lines.length === 2);
});

test("a game read keeps what was written to it", () => {
  const [game] = lozenge.readPgn(PGN);
  assert.equal(game.pgn(), PGN);
  game.play("Nc6");
  assert.ok(game.copy().pgn().endsWith("2. Nf3 Nc6 *\n\n"));
});

test("a faulty game does not lose the file", () => {
  const faults = [];
  const text = PGN + PGN.replace("e5", "e6e9") + PGN;
  assert.equal(lozenge.readPgn(text, [], (fault) => faults.push(fault)).length, 2);
  assert.equal(faults.length, 1);
  assert.match(faults[0], /e6e9/);
});

test("PGN goes there and back", () => {
  const position = new Position("diamondback");
  for (let ply = 0; ply < 6; ply++) position.play(position.legalMoves()[0]);
  const text = position.pgn({ White: "A", Black: "B" });
  assert.match(text, /\[White "A"\]/);
  const [again] = lozenge.readPgn(text);
  assert.ok(again.equals(position));
  assert.deepEqual(again.moves(), position.moves());
  const own = Variant.parse('extends = "chess"\nid = "mine"\nname = "Mine"\n');
  const mine = new Position(own);
  mine.play("e2e4");
  assert.deepEqual(lozenge.readPgn(mine.pgn(), [own])[0].moves(), ["e2e4"]);
  assert.equal(own.name, "Mine", "the caller keeps its game");
  const parents = [new Variant("chess").text];
  const renamed = Variant.parse('extends = "0123"\nid = "mine"\nname = "Mine"\n', parents);
  assert.equal(new Position(renamed).perft(2), 400);
});

test("positions and faults are those of the site's API", () => {
  const position = new Position("chess");
  for (const move of ["e2e4", "e7e5"]) position.play(move);
  const { fen, legal, steps, status, result } = JSON.parse(position.json(1));
  assert.equal(fen, position.fen());
  assert.deepEqual(legal.map(({ uci }) => uci), position.legalMoves());
  assert.deepEqual(steps.map(({ uci, san }) => [uci, san]), [["e7e5", "e5"]]);
  assert.deepEqual([status, result], ["ongoing", "*"]);
  const text = 'extends = "chess"\nid = "mine"\nnmae = "Mine"\n';
  const [fault] = JSON.parse(Variant.faults(text));
  assert.deepEqual([fault.line, fault.suggestion, text.slice(fault.from, fault.to)], [3, "name", "nmae"]);
  assert.equal(Variant.faults(text.replace("nmae", "name")), "[]");
  for (const id of ["diamondring-four", "threearmies"]) assert.equal(Variant.faults(new Variant(id).text), "[]");
  const three = new Variant("threearmies").text;
  assert.match(Variant.faults(three.replace("players = 3", "players = 5")), /expected 2, 3 or 4 players, found 5/);
  const [misspelled] = JSON.parse(Variant.faults('extends = "threearmies"\nid = "own"\nname = "Own"\n[roles.N]\nmoves = "Y"\n'));
  assert.equal(misspelled.line, 5);
});

test("variants.ini goes there and back", () => {
  const { text, untranslated } = lozenge.importIni("[lake:capablanca]\npieceDrops = true\n");
  assert.equal(Variant.parse(text).id, "lake");
  assert.deepEqual(untranslated, ["line 2: `pieceDrops`: pieces are never dropped"]);
  assert.ok(lozenge.exportIni(new Variant("chess")).text.startsWith("# Chess\n[chess]\n"));
});

test("the engine finds the win", () => {
  const engine = new Engine({ hash: 1 });
  const won = new Position("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1");
  const found = engine.analyse(won, { depth: 3 });
  assert.deepEqual([found.best, found.mate, found.cp], ["g7h8", 1, null]);
  const diamond = new Position("diamond");
  assert.equal(engine.analyse(diamond, { nodes: 2000, multipv: 3 }).lines.length, 3);
  assert.ok(diamond.legalMoves().includes(new Engine({ level: 0 }).analyse(diamond, { nodes: 2000 }).best));
  const over = new Position("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
  assert.equal(engine.analyse(over, { depth: 1 }).best, null);
});

/** The events of a search to its end. */
function events(engine, step) {
  const found = [];
  while (engine.isSearching) {
    const text = step();
    if (text !== "") found.push(JSON.parse(text));
  }
  return found;
}

test("a search in slices reports as the site does", () => {
  const engine = new Engine({ hash: 16 });
  const position = new Position("diamond");
  engine.start(position, { depth: 10, multipv: 2 });
  const found = events(engine, () => engine.stepNodes(2000));
  const last = found.at(-1);
  assert.ok(found.length > 1 && found.slice(0, -1).every(({ type }) => type === "info"));
  assert.equal(last.type, "done");
  assert.equal(last.depth, 10);
  assert.equal(last.lines.length, 2);
  assert.equal(last.lines[0].wdl.reduce((sum, count) => sum + count), 1000);
  assert.equal(last.lines[0].pv.length, last.lines[0].san.length);
  assert.equal(engine.step(), "");
  // A game that is over is analyzed at once.
  engine.start(new Position("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"));
  assert.equal(JSON.parse(engine.step()).type, "done");
});

test("a search of a game of four in slices reports for the player to move", () => {
  const engine = new Engine({ hash: 16 });
  const position = new Position("diamondring-four");
  position.play("c1b1");
  const limits = { depth: 5, multipv: 2 };
  const whole = engine.analyse(position, limits);
  engine.clear();
  engine.start(position, limits);
  const found = events(engine, () => engine.stepNodes(500));
  const last = found.at(-1);
  assert.ok(found.length > 2 && found.slice(0, -1).every(({ type }) => type === "info"));
  assert.deepEqual([last.type, last.depth, last.nodes], ["done", 5, whole.nodes]);
  assert.deepEqual(last.lines.map(({ pv }) => pv), whole.lines.map(({ moves }) => moves));
  assert.deepEqual(last.lines.map(({ score, wdl }) => [score.cp, wdl ?? null]), whole.lines.map(({ cp }) => [cp, null]));
  engine.start(position, {});
  engine.stepNodes(2000);
  const done = JSON.parse(engine.stop());
  assert.ok(done.type === "done" && done.lines.length === 1 && !engine.isSearching);
});

test("a slice takes less than 50 ms, after which a search stops at once", () => {
  const engine = new Engine({ hash: 16 });
  engine.start(new Position("diamondring"));
  const slices = [];
  for (let slice = 0; slice < 21; slice++) {
    const begun = performance.now();
    engine.step(30);
    slices.push(performance.now() - begun);
  }
  // The first slices compile what they run, and a busy machine takes longer now and then.
  const median = slices.sort((one, other) => one - other)[10];
  const begun = performance.now();
  const done = JSON.parse(engine.stop());
  assert.ok(median < 50, `${median} ms`);
  assert.ok(performance.now() - begun < 500);
  assert.equal(done.type, "done");
  assert.ok(done.lines.length === 1 && !engine.isSearching);
});

test("the benchmark searches the nodes of the native engine", () => {
  assert.equal(lozenge.bench().nodes, 3300204);
});

/** Counts of a larger table than this are left to the native tests. */
const MAX_COUNT = 3_000_000;

for (const file of readdirSync(resolve(root, "testdata/perft"))) {
  test(`perft of ${file}`, () => {
    const id = file.replace(".perft", "");
    let [position, counted] = [null, 0];
    for (const line of readFileSync(resolve(root, "testdata/perft", file), "utf8").split("\n")) {
      const [word, ...rest] = line.split(" ");
      if (word === "fen") position = new Position(id, rest.join(" "));
      if (word !== "perft" || Number(rest[1]) > MAX_COUNT) continue;
      assert.equal(position.perft(Number(rest[0])), Number(rest[1]), `${position} depth ${rest[0]}`);
      counted++;
    }
    assert.ok(counted >= 10, `${counted} counts`);
  });
}
