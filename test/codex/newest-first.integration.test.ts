import { utimes } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { ReadingTask, RunOptions } from "../../src/application/ports/reading-pool.js";
import { InProcessPool } from "../../src/application/threads/in-process-pool.js";
import { createCodexDataSource } from "../../src/codex.js";
import { at, lines, meta, newHome, packed, prompted, rolloutOf } from "./support/homes.js";

class CountingPool extends InProcessPool {
  sessionsRead = 0;

  override run<Input, Output>(task: ReadingTask<Input, Output>, input: Input, options?: RunOptions) {
    if (task.name === "summarize") this.sessionsRead += (input as { sessions: unknown[] }).sessions.length;
    return super.run(task, input, options);
  }
}

it("a page of the list reads the sessions that are on it, packed ones by the time of their files", async () => {
  const files: Record<string, string | Uint8Array> = {};
  for (let i = 0; i < 40; i++) {
    const text = lines([meta(`s${i}`), ...prompted(`Prompt ${i}`)], 1_000 * i);
    files[rolloutOf(`s${i}`) + (i % 4 === 0 ? ".zst" : "")] = i % 4 === 0 ? packed(text) : text;
  }
  const home = await newHome(files);
  for (const name of Object.keys(files)) {
    const i = Number(/-s(\d+)\.jsonl/.exec(name)![1]);
    const time = new Date(Date.parse(at(1_000 * i + 2)) + 300);
    await utimes(path.join(home, name), time, time);
  }
  const pool = new CountingPool();
  const page = await createCodexDataSource(home, { pool }).findSessions!({ limit: 5 });
  expect(page.items.map(({ sessionId }) => sessionId)).toEqual(["s39", "s38", "s37", "s36", "s35"]);
  expect(pool.sessionsRead).toBeLessThan(20);
});
