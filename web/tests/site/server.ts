/**
 * A server of one's own, for tests that kill it. The program is in LOZENGE_PROGRAM; without it these tests are skipped with a note.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const program = process.env.LOZENGE_PROGRAM ?? "";
export const canKill = program !== "";
if (!canKill) console.warn("left out: tests that kill their server want LOZENGE_PROGRAM");

/** The server with its folder of data. */
export class OwnServer {
  #child: ChildProcess | null = null;
  #listen = "127.0.0.1:0";

  private constructor(readonly folder: string) {}

  /** Starts it with an empty database. */
  static async start(): Promise<OwnServer> {
    const server = new OwnServer(await mkdtemp(join(tmpdir(), "lozenge-")));
    await server.startAgain();
    return server;
  }

  get address(): string {
    return `http://${this.#listen}`;
  }

  /** Starts it with the data and at the address that it had. */
  async startAgain(): Promise<void> {
    const options = ["serve", "--listen", this.#listen, "--data", this.folder, "--no-table-generation"];
    const child = spawn(program, options, { stdio: ["ignore", "pipe", "ignore"] });
    this.#child = child;
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    this.#listen = line.split("//").at(-1)?.replace(/\/$/, "") ?? "";
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }

  /** Ends it and deletes its data. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
