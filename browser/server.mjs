// A server of our own for each file of stories: on a free port, with a fresh folder, and gone afterwards.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const KRIEG = process.env.KRIEG ?? path.join(ROOT, "target/release/krieg");

/** Longer than any start takes, even beside a compiler. */
const START_MS = 60_000;

// Whoever is told to stop takes his server along: without this, only those who come to their end do.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export class Server {
  /** @type {import("node:child_process").ChildProcess | null} */ #process = null;
  #folder = "";
  #port = 0;
  /** What it wrote on standard error: warnings, and panics. */
  complaints = "";

  static async start() {
    const server = new Server();
    server.#folder = await mkdtemp(path.join(tmpdir(), "krieg-browser-"));
    try {
      await server.go();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get address() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Begins to serve, after the first time on the same port and from the same folder. */
  async go() {
    const child = spawn(KRIEG, [
      "serve", "--no-open", "--listen", `127.0.0.1:${this.#port}`, "--data", this.#folder,
      "--sign-ups", "10000", "--actions", "1000", "--sockets", "1000",
    ], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    process.once("exit", () => child.kill("SIGKILL"));
    child.stderr.setEncoding("utf8").on("data", (text) => (this.complaints += text));
    this.#port = await new Promise((resolve, reject) => {
      let said = "";
      const giveUp = (/** @type {string} */ why) => {
        clearTimeout(late);
        reject(new Error(`${KRIEG} serve ${why}\n${said}${this.complaints}`));
      };
      const late = setTimeout(() => giveUp("did not say where it is"), START_MS);
      child.once("error", (error) => giveUp(error.message));
      child.once("exit", (code) => giveUp(`ended with ${code}`));
      child.stdout.setEncoding("utf8").on("data", (text) => {
        said += text;
        const found = said.match(/http:\/\/127\.0\.0\.1:(\d+)/);
        if (!found) return;
        clearTimeout(late);
        resolve(Number(found[1]));
      });
    });
  }

  /** As if the plug was pulled: nothing can be finished or said. */
  kill = () => this.#end("SIGKILL");

  /** Ends politely, and leaves nothing behind. */
  async stop() {
    await this.#end("SIGTERM");
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** @param {NodeJS.Signals} signal */
  async #end(signal) {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}
