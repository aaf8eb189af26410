import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How long statements take in `psql`, which throws their results away, in milliseconds: the yardstick. */
export async function timesInPsql(
  connectionString: string,
  statement: string,
  runs: number,
): Promise<number[]> {
  const commands = ["\\timing on", "\\o /dev/null", ...Array<string>(runs).fill(statement)];
  const args = ["-X", "-q", ...commands.flatMap((command) => ["-c", command]), connectionString];
  const { stdout } = await run("psql", args, { maxBuffer: 1 << 24 });
  return [...stdout.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, time]) => Number(time));
}

export function hasPsql(): boolean {
  return spawnSync("psql", ["--version"]).status === 0;
}
