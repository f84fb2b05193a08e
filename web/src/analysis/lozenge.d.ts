/** The JavaScript package, which `vite.config.ts` finds where it has been built: what the worker uses of it. */

declare module "virtual:lozenge" {
  export interface Limits {
    nodes?: number | null | undefined;
    movetime?: number | null | undefined;
    depth?: number | null | undefined;
    multipv?: number;
  }
  export class Variant {
    private constructor();
    static parse(text: string, parents?: string[]): Variant;
    static faults(text: string, parents?: string[]): string;
  }
  export class Position {
    constructor(variant: Variant, fen?: string);
    play(move: string): string;
    threat(): Position;
    json(known: number): string;
    free(): void;
  }
  export class Engine {
    constructor(options: { hash: number });
    readonly isSearching: boolean;
    start(position: Position, limits: Limits): void;
    step(milliseconds: number): string;
    stop(): string;
    free(): void;
  }
  export function initSync(source: { module: WebAssembly.Module }): void;
  export function init(source: { module_or_path: WebAssembly.Module }): Promise<unknown>;
}

declare module "virtual:lozenge-module" {
  /** The address of the module; null where it was not built in. */
  const address: string | null;
  export default address;
}
