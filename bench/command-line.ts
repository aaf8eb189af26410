import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { peakMemoryMB } from "./measure.js";

export const MAIN = path.resolve(import.meta.dirname, "../dist/src/composition/main.js");

/** A first start of the command line: its home is empty, so it has no cache. */
export class CommandLine {
  readonly base: string;
  readonly #child: ChildProcess;
  readonly #remove: () => void;

  private constructor(child: ChildProcess, base: string, remove: () => void) {
    this.#child = child;
    this.base = base;
    this.#remove = remove;
  }

  /** @param home for a later start. Default is an empty home, removed with the process */
  static async start(folder: string, home?: string): Promise<CommandLine> {
    const ownHome = mkdtempSync(path.join(tmpdir(), "agent-inspector-home-"));
    const usedHome = home ?? ownHome;
    const child = spawn(process.execPath, [MAIN, folder, "--port", "0", "--no-open"], {
      env: { ...process.env, HOME: usedHome, XDG_CACHE_HOME: path.join(usedHome, ".cache") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const remove = () => {
      child.kill("SIGKILL");
      rmSync(ownHome, { recursive: true, force: true });
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

  /** @param signal `SIGTERM` lets it write its cache */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
    this.#remove();
    process.off("exit", this.#remove);
  }
}
