/**
 * Positions with their legal moves: from the server or, where it does not answer, by the rules in this browser, so that moves
 * can be made without a connection.
 */
import { ApiError, type Schemas, send } from "../common/api.ts";
import { compiledModule, isBuiltIn, textsOf } from "./wasm.ts";

export type Position = Schemas["Position"];
export type PositionRequest = Pick<Schemas["PositionRequest"], "moves" | "known"> & { variant: string; fen: string };

/** Answers by the rules. Throws at an illegal move. */
export type LocalRules = (request: PositionRequest) => Position;

/** Compute the position in the browser if the server takes longer, in milliseconds. */
const SERVER_TIMEOUT_MS = 600;

/** The services that `Positions` needs from the page. */
export interface Sources {
  server(request: PositionRequest): Promise<Position>;
  /** The rules of a game in this browser; null where they do not run. */
  local(variant: string): Promise<LocalRules | null>;
}

const PAGE_SOURCES: Sources = {
  server: (request) => send<Position>("POST", "/api/positions", request),
  local: loadRules,
};

export class Positions {
  readonly #variant: string;
  readonly #sources: Sources;
  /** The rules in this browser, which may still be loading. */
  #local: Promise<LocalRules | null> | null = null;

  constructor(variant: string, sources: Sources = PAGE_SOURCES) {
    this.#variant = variant;
    this.#sources = sources;
  }

  /** Loads the rules, so that a connection that is lost later does not matter. */
  async prepare(): Promise<void> {
    // Without them moves wait for the connection.
    this.#local ??= this.#sources.local(this.#variant).catch(() => null);
    if (!(await this.#local)) this.#local = null;
  }

  /** The position after moves of the game. */
  async fetch(request: Omit<PositionRequest, "variant">): Promise<Position> {
    const fullRequest = { ...request, variant: this.#variant };
    const response = this.#sources.server(fullRequest);
    const loading = this.#local;
    if (!loading) return response;
    const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), SERVER_TIMEOUT_MS));
    try {
      const first = await Promise.race([response, timeout]);
      if (first) return first;
    } catch (fault) {
      // A refusal is an answer, too.
      if (fault instanceof ApiError) throw fault;
    }
    // The server may still be the first, while the rules are loading.
    const local = await Promise.race([loading, response.then(() => null, () => loading)]);
    try {
      return local ? local(fullRequest) : response;
    } catch {
      // The server may read a text that these rules refuse.
      return response;
    }
  }
}

async function loadRules(variant: string): Promise<LocalRules | null> {
  if (!isBuiltIn) return null;
  const [module, { source, parents }, rules] = await Promise.all([compiledModule(), textsOf(variant), import("virtual:lozenge")]);
  await rules.init({ module_or_path: module });
  const game = rules.Variant.parse(source, [...parents]);
  return ({ fen, moves, known }) => {
    const position = new rules.Position(game, fen);
    try {
      for (const move of moves ?? []) position.play(move);
      return JSON.parse(position.json(known ?? 0)) as Position;
    } finally {
      position.free();
    }
  };
}
