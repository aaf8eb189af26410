import { EventEmitter, once } from "node:events";
import path from "node:path";
import { Writable } from "node:stream";
import { onTestFinished, vi } from "vitest";
import { runCommandLine } from "../../src/adapters/cli/command-line.js";
import type { Ending } from "../../src/adapters/cli/text/terminal.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { COMMAND_LINE_PARTS } from "../../src/composition/command-line-parts.js";
import { createOtlpReceiver } from "../../src/composition/otlp-receiver.js";
import { temporaryFolder } from "./data-directory.js";

export const PARTS = {
  ...COMMAND_LINE_PARTS,
  openPool: async () => new InProcessPool(),
  openReceiver: async (options: Parameters<typeof createOtlpReceiver>[0]) =>
    createOtlpReceiver({ ...options, threads: false }),
};

/** An empty working directory, home and temporary folder until the end of the test. */
export async function homeFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const before = process.cwd();
  for (const name of ["HOME", "TMPDIR"]) vi.stubEnv(name, folder);
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "AGENT_INSPECTOR_HEADER"]) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv("XDG_CACHE_HOME", path.join(folder, ".cache"));
  vi.stubEnv("XDG_DATA_HOME", path.join(folder, ".data"));
  vi.stubEnv("TZ", "UTC");
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
  return folder;
}

export class TextOutput extends Writable {
  text = "";
  isTTY = false;
  columns?: number;

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.text += chunk;
    this.emit("text");
    done();
  }
}

export interface StartedCommand {
  readonly ended: Promise<Ending>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  stop(signal?: "SIGINT" | "SIGTERM"): void;
  /** Resolves once `count` addresses are printed. */
  addresses(count?: number): Promise<string[]>;
}

/** Starts a command in the {@link homeFolder} and stops it after the test. */
export function start(...args: readonly string[]): StartedCommand {
  return startWith({}, ...args);
}

export function startWith(
  others: Partial<typeof COMMAND_LINE_PARTS>,
  ...args: readonly string[]
): StartedCommand {
  return startOn(new TextOutput(), others, args);
}

function startOn(
  stdout: TextOutput,
  others: Partial<typeof COMMAND_LINE_PARTS>,
  args: readonly string[],
): StartedCommand {
  const output = { stdout, stderr: new TextOutput() };
  const terminal = Object.assign(new EventEmitter(), output);
  const ended = runCommandLine(args, { ...PARTS, ...others }, terminal);
  const stop = (signal: "SIGINT" | "SIGTERM" = "SIGTERM") => void terminal.emit(signal);
  onTestFinished(async () => {
    stop();
    await Promise.allSettled([ended]);
  });
  const endedEarly = ended.then(() => {
    throw new Error(`It ended: ${output.stderr.text}`);
  });
  endedEarly.catch(() => undefined); // avoids an unhandled rejection
  const addresses = async (count = 1) => {
    for (;;) {
      const inText = output.stdout.text.match(/http:\/\/\S+\/(?=\n)/g) ?? [];
      if (inText.length >= count) return inText;
      await Promise.race([once(output.stdout, "text"), endedEarly]);
    }
  };
  return { ...output, ended, stop, addresses };
}

export function run(...args: readonly string[]) {
  return endOf(start(...args));
}

export function runInTerminal(columns: number, ...args: readonly string[]) {
  const stdout = Object.assign(new TextOutput(), { isTTY: true, columns });
  return endOf(startOn(stdout, {}, args));
}

export function runOnto(stdout: TextOutput, ...args: readonly string[]) {
  return endOf(startOn(stdout, {}, args));
}

async function endOf({ ended, stdout, stderr }: StartedCommand) {
  const code = await ended;
  return { stdout: stdout.text, stderr: stderr.text, code };
}
