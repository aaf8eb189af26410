import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { peakMemoryMB } from "./measure.js";

const MAIN = path.resolve(import.meta.dirname, "../dist/src/composition/cli/main.js");

/**
 * The command line on a folder, as a person starts it for the first time: what it might keep between two starts in a cache
 * folder is not there, because its home is empty.
 */
export class CommandLine {
  readonly base: string;
  readonly #child: ChildProcess;
  readonly #remove: () => void;

  private constructor(child: ChildProcess, base: string, remove: () => void) {
    this.#child = child;
    this.base = base;
    this.#remove = remove;
  }

  static async start(folder: string): Promise<CommandLine> {
    const home = mkdtempSync(path.join(tmpdir(), "agent-inspector-home-"));
    const child = spawn(process.execPath, [MAIN, folder, "--port", "0", "--no-open"], {
      env: { ...process.env, HOME: home, XDG_CACHE_HOME: path.join(home, ".cache") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const remove = () => {
      child.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    };
    process.once("exit", remove);
    for await (const line of createInterface({ input: child.stdout })) {
      const [base] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (base !== undefined) return new CommandLine(child, base, remove);
    }
    throw new Error(`The command line ended before it served ${folder}: ${stderr}`);
  }

  get peakMemoryMB(): number {
    return peakMemoryMB(this.#child.pid);
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
    this.#remove();
    process.off("exit", this.#remove);
  }
}
