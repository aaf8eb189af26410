import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { namesIn, searchAll, stringsIn } from "../../support/search-all.js";
import { filesOf } from "./naive-count.js";
import { openHistories } from "./projects.js";

/** Texts with special escapes, or without any match. */
export const CHOSEN = [
  "\n",
  '"',
  "\\",
  "/",
  "é",
  "日本",
  "🍎",
  "\u001b[",
  "function",
  "const ",
  "Error:",
  '": "',
  "\\n",
  "nowhere at all",
];

function stringsOf(project: string, sessionId: string): string[] {
  return filesOf(project, sessionId).flatMap((file) =>
    readFileSync(path.join(project, file), "utf8")
      .split("\n")
      .flatMap((line) => {
        try {
          return stringsIn(JSON.parse(line));
        } catch {
          return [];
        }
      }),
  );
}

interface Stored {
  readonly name: string;
  readonly strings: readonly string[];
}

export function storedIn(folder: string): Stored[] {
  return readdirSync(folder).flatMap((tenantId) =>
    readdirSync(path.join(folder, tenantId))
      .filter((file) => file.endsWith(".jsonl") && !file.startsWith("agent-"))
      .map((file) => file.slice(0, -".jsonl".length))
      .map((sessionId) => ({
        name: `${tenantId}/${sessionId}`,
        strings: stringsOf(path.join(folder, tenantId), sessionId),
      })),
  );
}

/** Deterministic parts, some from each session. */
export function partsOf(stored: readonly Stored[], perSession: number): string[] {
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
  return stored.flatMap(({ strings }) =>
    Array.from({ length: strings.length === 0 ? 0 : perSession }, () => {
      const from = strings[random(strings.length)]!;
      const start = random(Math.max(1, from.length));
      return from.slice(start, start + 1 + random(20)) || "x";
    }),
  );
}

export async function expectNothingMissing(
  folder: string,
  stored: readonly Stored[],
  needles: readonly string[],
) {
  const source = openHistories(folder);
  for (const [i, needle] of needles.entries()) {
    const query = { kind: "text", text: needle, isExact: i % 2 === 0 } as const;
    const found = new Set(namesIn(await searchAll(source, query)));
    const wanted = needle.toLowerCase();
    const holds = (one: string) =>
      query.isExact ? one.includes(needle) : one.includes(needle) || one.toLowerCase().includes(wanted);
    const missing = stored.filter(({ name, strings }) => !found.has(name) && strings.some(holds));
    expect(missing.map(({ name }) => [needle, name])).toEqual([]);
  }
}
