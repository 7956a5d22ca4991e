// Runs `krieg serve` on a free port with a fresh data folder, which is deleted afterwards.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const KRIEG = process.env.KRIEG ?? path.join(ROOT, "target/release/krieg");

/** Maximum time of a start, long enough for a busy machine. */
const START_TIMEOUT_MS = 60_000;

const OPTIONS = ["--no-open", "--sign-ups", "10000", "--actions", "1000", "--sockets", "1000"];

// `exit` handlers stop the servers. Without this, they would not run after a signal.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export class Server {
  /** @type {import("node:child_process").ChildProcess | null} */ #process = null;
  #folder = "";
  #port = 0;
  /** Everything that the server wrote to standard error: warnings and panics. */
  stderr = "";

  static async start() {
    const server = new Server();
    server.#folder = await mkdtemp(path.join(tmpdir(), "krieg-browser-"));
    try {
      await server.run();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the process. A restart uses the same port and folder. */
  async run() {
    const listen = `127.0.0.1:${this.#port}`;
    const args = ["serve", "--listen", listen, "--data", this.#folder, ...OPTIONS];
    const child = spawn(KRIEG, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    process.once("exit", () => child.kill("SIGKILL"));
    child.stderr.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.#port = await new Promise((resolve, reject) => {
      let stdout = "";
      const fail = (/** @type {string} */ reason) => {
        clearTimeout(timeout);
        reject(new Error(`${KRIEG} serve ${reason}\n${stdout}${this.stderr}`));
      };
      const timeout = setTimeout(() => fail("did not print its address"), START_TIMEOUT_MS);
      child.once("error", (error) => fail(error.message));
      child.once("exit", (code) => fail(`ended with ${code}`));
      child.stdout.setEncoding("utf8").on("data", (text) => {
        stdout += text;
        const found = stdout.match(/http:\/\/127\.0\.0\.1:(\d+)/);
        if (!found) return;
        clearTimeout(timeout);
        resolve(Number(found[1]));
      });
    });
  }

  /** Kills the process, which cannot finish anything. */
  kill = () => this.#end("SIGKILL");

  /** Ends the process in order, and deletes its folder. */
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
