import { readdirSync } from "node:fs";
import path from "node:path";
import { objectIn, type RawLine, rawLines, textIn } from "./oracle-call.js";

/** After the lines of its base rollouts. */
export function lineage(file: string, endByte?: number, passed: readonly string[] = []): RawLine[] {
  const lines = rawLines(file, endByte);
  const base = objectIn(objectIn(lines[0]?.record ?? {}, "payload"), "history_base");
  const name = textIn(base, "thread_id");
  const from = name === undefined ? undefined : rolloutNamed(homeOf(file), name);
  if (from === undefined || passed.includes(from)) return lines;
  return [...lineage(from, Number(base.end_byte_offset), [...passed, file]), ...lines];
}

function homeOf(file: string): string {
  return /^(.*)[/\\](?:archived_)?sessions[/\\]/.exec(file)![1]!;
}

/** In `…-<thread>_<id>.jsonl` the id follows `_`; otherwise it is the thread's. */
function rolloutNamed(home: string, id: string): string | undefined {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) =>
      new RegExp(`rollout-\\d{4}-\\d\\d-\\d\\dT[\\d-]{8}-(?:[^_]*_)?${id}\\.jsonl$`).test(name),
    )
    .map((name) => path.join(home, name))[0];
}
