import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished, vi } from "vitest";
import { freePort } from "./snippets.js";

export interface StartedHost {
  readonly base: string;
  readonly process: ChildProcess;
  /** Standard error. */
  said(): string;
}

/** Runs a host until the end of the test; it takes its port from `PORT`. @param path answers once the host is ready */
export async function startHost(
  command: string,
  args: readonly string[],
  folder: string,
  path: string,
  given: NodeJS.ProcessEnv = {},
): Promise<StartedHost> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), NODE_OPTIONS: "", ...given };
  const host = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  host.stderr.on("data", (text) => {
    said += text;
  });
  onTestFinished(() => void host.kill());
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(
    async () => {
      if (host.exitCode !== null) throw new Error(`the host ended with ${host.exitCode}: ${said}`);
      await fetch(base + path);
    },
    { timeout: 30_000, interval: 100 },
  );
  return { base, process: host, said: () => said };
}
