import { spawn } from "node:child_process";

/** Longer nobody waits for an answer about lines, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Nothing that a repository names is run, nothing is fetched, nothing is written. */
const SAFE = [
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.quotePath=false"],
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "diff.external="],
  ...["-c", "log.showSignature=false"],
  ...["-c", "blame.ignoreRevsFile="],
  "--no-optional-locks",
  "--no-pager",
];

export interface GitOptions {
  readonly folder: string;
  /** What it is told on standard input. Default is nothing. */
  readonly input?: string;
  /** What it writes beyond that is not waited for. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a command of git writes; `undefined` where it fails, where there is no git, and where it takes too long.
 *
 * @param args without options of the repository's choice: what somebody typed lies behind `--` or `--end-of-options`
 */
export function runGit(args: readonly string[], options: GitOptions): Promise<Buffer | undefined> {
  const { folder, input = "", maxBytes, signal } = options;
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      ...{ GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" },
    };
    const stdio = ["pipe", "pipe", "ignore"] as const;
    const git = spawn("git", [...SAFE, ...args], {
      cwd: folder,
      env,
      stdio: [...stdio],
      signal,
      timeout: TIMEOUT_MS,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isFull = false;
    git.stdout!.on("data", (chunk: Buffer) => {
      if (isFull) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < maxBytes) return;
      isFull = true;
      git.kill();
    });
    // A git that has ended reads no more.
    git.stdin!.on("error", () => undefined);
    git.stdin!.end(input);
    git.on("error", () => resolve(undefined));
    git.on("close", (code) => resolve(code === 0 || isFull ? Buffer.concat(chunks) : undefined));
  });
}
