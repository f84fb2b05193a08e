/**
 * People and games on a site, so that its pages have something to show: made by the API alone. For tests of every
 * page and for pictures of them.
 */
import { readFileSync } from "node:fs";
import { request } from "playwright-core";

const PASSWORD = "correct horse battery";
const BLITZ = { kind: "live", initial_s: 300, increment_s: 3 };

/** A chapter with what a chapter can have. */
const STUDY = `[Variant "Diamond Chess"]
[White "Adelaide"]
[Black "Bertram"]
[ChapterName "Two first moves"]

{On which side?} 1. ff4 $5 {[%cal Gf3f4][%csl Rf4] The engine likes this best.} (1. dd4 {quiet} 1... Nd6 2. Rd3) 1... c6 *
`;

/** Positions of games of four in which Blue gives check to Yellow, and mates Yellow; each with the move. */
const CHECK_OF_FOUR = {
  fen: "2yP2yK1yEyRyP2/6yW1yP3/bP6yP3dP/2bR1bByPyN5/bE8dPdNdE/7dDdP2dW/bK2yD3dDdP3/bE5dByB3dE/5rP1rPdN1dPdR/6rE4dP/2bNrPrNrW1rKrPrP2/10rR1 b - - 1 25 rby/g",
  move: "c9c12",
};
const MATE_OF_FOUR = {
  fen: "2yP6yP2/5yW6/4yR6dP/bR7dP2dR/6yKyE2bR1/8dPdE2/3bP2bB1bN3/2bP5dPdPdN1/1bPbK3dP3dPdR/2bE4dDdP1dNdP/3dP1dBdB1dPdP2/2dPdRdEdW1dEdR3 b - - 24 64 by/rg",
  move: "k8h8",
};

/** A seeded random number generator. */
const seededRandom = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** A visitor without a window. */
class Client {
  /** @param {string} address */
  static async create(address) {
    return new Client(await request.newContext({ baseURL: address }));
  }

  /** @param {import("playwright-core").APIRequestContext} context */
  constructor(context) {
    this.context = context;
    this.name = "";
  }

  /** @param {"GET" | "POST" | "PUT"} method @param {string} path @param {unknown} [data] */
  async request(method, path, data) {
    const response = await this.context.fetch(path, { method, data });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    const text = await response.text();
    return text ? JSON.parse(text) : null;
  }

  /** Takes this name, or one like it. @param {string} name */
  async register(name) {
    for (this.name = name; ; this.name = `${name}_${Date.now().toString(36).slice(-5)}`) {
      const data = { name: this.name, password: PASSWORD };
      const response = await this.context.post("/api/account/register", { data });
      if (response.ok()) return;
      if (response.status() !== 409 || this.name !== name) throw new Error(await response.text());
    }
  }

  /** @param {object} terms @returns {Promise<string>} the game's id */
  async createGame(terms) {
    const game = await this.request("POST", "/api/games", { opponent: { kind: "link" }, side: "white", ...terms });
    return game.id;
  }

  /** @param {string} game @param {object} action */
  sendAction(game, action) {
    return this.request("POST", `/api/games/${game}/actions`, action);
  }
}

/**
 * Plays a number of half moves of a game at random.
 * @param {string} game @param {readonly [Client, Client]} players @param {number} plies @param {number} seed
 */
async function play(game, players, plies, seed) {
  const random = seededRandom(seed);
  for (let ply = 0; ply < plies; ply += 1) {
    const mover = players[ply % 2];
    const { state, you } = await mover.request("GET", `/api/games/${game}`);
    if (state.status !== "started" || you !== state.turn) return;
    const move = state.moves[Math.floor(random() * state.moves.length)];
    await mover.sendAction(game, { type: "move", move, ply });
  }
}

/** A public game of a member's own, by a name of its own. @param {Client} member @returns {Promise<{ id: string, draft: string }>} */
async function publish(member) {
  const file = readFileSync(new URL("../../testdata/variants/lake.toml", import.meta.url), "utf8");
  const suffix = Date.now().toString(36).slice(-5);
  const source = file.replace('name = "Lake Chess"', `name = "Lake Chess ${suffix}"`);
  return member.request("POST", "/api/variants", { source, visibility: "public" });
}

/**
 * A member with rated games, another, and games in every state.
 * @param {string} address the site's
 */
export async function populate(address) {
  const [member, other, guest] = [await Client.create(address), await Client.create(address), await Client.create(address)];
  await member.register("Adelaide");
  await other.register("Bertram");
  /** @param {object} terms */
  const startGame = async (terms) => {
    const game = await member.createGame(terms);
    await other.request("POST", `/api/games/${game}/join`);
    return game;
  };
  for (const seed of [1, 2, 3]) {
    const rated = await startGame({ variant: "diamondback", clock: BLITZ, rated: true });
    await play(rated, [member, other], 6, seed);
    await (seed === 2 ? member : other).sendAction(rated, { type: "resign" });
  }
  const finished = await startGame({ variant: "diamond", clock: BLITZ });
  await play(finished, [member, other], 14, 5);
  await other.sendAction(finished, { type: "resign" });
  /** @type {Record<string, string>} */
  const live = {};
  for (const [index, variant] of ["diagonal", "diamond", "diamondback", "doublediamond", "diamondring"].entries()) {
    live[variant] = await startGame({ variant, clock: { kind: "correspondence", days: 2 } });
    await play(live[variant], [member, other], 8, index + 11);
  }
  /** A game of four after one move: the member has Yellow. @param {typeof CHECK_OF_FOUR} part */
  const gameOfFour = async ({ fen, move }) => {
    const engine = { kind: "engine", level: 2 };
    const terms = { variant: "diamondring-four", fen, clock: { kind: "correspondence", days: 2 } };
    const { id } = await member.request("POST", "/api/games", { ...terms, seats: [engine, { kind: "link" }, { kind: "me" }, engine] });
    await other.request("POST", `/api/games/${id}/join?seat=blue`);
    await other.sendAction(id, { type: "move", move, ply: 0 });
    return id;
  };
  const [four, fourFinished] = [await gameOfFour(CHECK_OF_FOUR), await gameOfFour(MATE_OF_FOUR)];
  const engine = await member.createGame({ variant: "doublediamond", opponent: { kind: "engine", level: 3 } });
  const waiting = await member.createGame({ variant: "diamondring", clock: BLITZ });
  await member.sendAction(live.diamond, { type: "chat", room: "players", text: "Good luck!" });
  await other.sendAction(live.diamond, { type: "chat", room: "players", text: "And to you. I have not played this one before." });
  await other.request("POST", "/api/seeks", { variant: "diamond", clock: BLITZ, side: "random", rated: false });
  await guest.request("POST", "/api/seeks", {
    variant: "diamondring",
    clock: { kind: "correspondence", days: 3 },
    side: "white",
    rated: false,
  });
  const variant = await publish(member);
  await other.request("POST", `/api/variants/${variant.id}/comments`, { text: "The Lake makes the Otters strong." });
  await member.request("POST", "/api/tokens", { label: "A program", scopes: ["play", "read"] });
  const study = await member.request("POST", "/api/studies", {
    name: "Endings with an Anvil",
    visibility: "public",
    tags: ["endings", "beginners"],
    about: "What to do when the board is nearly empty.",
    chapter: { pgn: STUDY },
  });
  await member.request("POST", `/api/studies/${study.id}/chapters`, { game: finished });
  await other.request("PUT", `/api/studies/${study.id}/like`, {});
  const sessions = { member: await member.context.storageState(), other: await other.context.storageState() };
  for (const client of [other, guest]) await client.context.dispose();
  /** The member is at the games that go on: they are listed for a minute after that. */
  const keepOnline = () => Promise.all(Object.values(live).map((game) => member.sendAction(game, { type: "ping" })));
  return { ...sessions, keepOnline, name: member.name, variant, study: study.id, games: { engine, finished, four, fourFinished, waiting, live: live.diamond, torus: live.diamondring } };
}

/** @typedef {Awaited<ReturnType<typeof populate>>} SiteData */
