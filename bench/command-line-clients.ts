import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** In `psql`, which discards the results, in milliseconds: the yardstick. */
export async function timesInPsql(
  connectionString: string,
  statement: string,
  times: number,
): Promise<number[]> {
  const commands = ["\\timing on", "\\o /dev/null", ...Array<string>(times).fill(statement)];
  const args = ["-X", "-q", ...commands.flatMap((command) => ["-c", command]), connectionString];
  const { stdout } = await run("psql", args, { maxBuffer: 1 << 24 });
  return [...stdout.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, time]) => Number(time));
}

/** Sequential requests on one connection in `curl`, in milliseconds. Fails on an error status. */
export async function timesInCurl(url: string, times: number): Promise<number[]> {
  const args = ["-sS", "-f", "-o", "/dev/null", "-w", "%{time_total}\n"];
  // `curl` does not send the fragment; its range repeats the request.
  const { stdout } = await run("curl", [...args, `${url}#[1-${times}]`], { maxBuffer: 1 << 24 });
  return [...stdout.matchAll(/^[\d.]+$/gm)].map(([seconds]) => Number(seconds) * 1000);
}

export function missingClients(): string[] {
  return ["psql", "curl", "chrt"].filter((name) => spawnSync(name, ["--version"]).status !== 0);
}
