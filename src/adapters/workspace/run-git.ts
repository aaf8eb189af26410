import { spawn } from "node:child_process";
import type { RepositoryProblem } from "../../application/ports/workspace-files.js";

/** In bytes, for one allocation: a larger object ends git. */
const MOST_MEMORY = 256 * 1024 * 1024;

export interface GitOptions {
  /** A private folder: the working directory and home of git. */
  readonly folder: string;
  /** git's own variables. No other `GIT_` variable reaches it. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Default is empty. */
  readonly input?: string | Buffer | undefined;
  /** Ends git if it prints more. */
  readonly maxBytes: number;
  /** Time to end git, on the clock of `performance.now()`. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

export interface GitOutput {
  readonly bytes: Buffer;
  readonly problem?: RepositoryProblem | undefined;
}

/**
 * Runs git without settings of the user or the machine, prompts, network access and writes.
 * @param args user input must follow `--` or `--end-of-options`
 * @throws the signal's reason when it aborts
 */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitOutput> {
  const { folder, variables, input = "", maxBytes, deadline, signal } = options;
  const timeout = Math.floor(deadline - performance.now());
  if (timeout <= 0) return { bytes: Buffer.alloc(0), problem: "slow" };
  const ended = await new Promise<GitOutput>((resolve) => {
    const git = spawn("git", ["--no-pager", ...args], {
      cwd: folder,
      env: { ...environment(folder), ...variables },
      stdio: ["pipe", "pipe", "ignore"],
      signal,
      timeout,
      killSignal: "SIGKILL",
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    git.stdout.on("data", (chunk: Buffer) => {
      if (sizeBytes > maxBytes) return;
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) git.kill("SIGKILL");
    });
    git.stdin.on("error", () => undefined); // git may end before it reads its input.
    git.stdin.end(input);
    // A wrapper script may leave git running, which holds the pipe open.
    git.on("exit", (_code, endedBy) => endedBy !== null && git.stdout.destroy());
    git.on("error", () => resolve({ bytes: Buffer.alloc(0), problem: "absent" }));
    git.on("close", (code, endedBy) => {
      const failure = endedBy === "SIGKILL" ? "slow" : "damaged";
      const problem = code === 0 ? undefined : failure;
      resolve({ bytes: Buffer.concat(chunks), problem: sizeBytes > maxBytes ? "large" : problem });
    });
  });
  signal?.throwIfAborted();
  return ended;
}

function environment(folder: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ALLOC_LIMIT: String(MOST_MEMORY),
  };
}
