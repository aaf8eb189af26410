import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ThreadPool } from "../../src/adapters/files/threads/thread-pool.js";
import { SourceChangedError, SourceUnavailableError } from "../../src/application/errors.js";
import { ownModule, type ReadingTask } from "../../src/application/ports/reading-pool.js";
import * as tasks from "../support/reading-tasks.mjs";
import { startedThreads } from "../support/started-threads.js";

const module = new URL("../support/reading-tasks.mjs", import.meta.url).href;
const GO_ON: ReadingTask<{ ms: number }, string> = { module, name: "goOn", steps: tasks.goOn };
const GO_ON_FOR_EVER = { module, name: "goOnForEver", steps: tasks.goOnForEver };
const FAIL = { module, name: "fail", steps: tasks.fail };
const KEEP = { module, name: "keep", steps: tasks.keep };

let pool: ThreadPool;
afterEach(() => pool.close());

describe("ThreadPool", () => {
  it("lets tasks of one thread take turns, also those that came before the thread had begun", async () => {
    pool = new ThreadPool();
    for (let round = 0; round < 2; round++) {
      const stopped = new Int32Array(new SharedArrayBuffer(4));
      const controller = new AbortController();
      const endless = pool.run(GO_ON_FOR_EVER, { stopped }, { signal: controller.signal });
      await Promise.all([1, 2, 3].map(() => pool.run(GO_ON, { ms: 1 })));
      controller.abort(new Error("enough"));
      await expect(endless).rejects.toThrow("enough");
    }
  });

  it("stops a task that no caller waits for any more, with the signal's reason", async () => {
    pool = new ThreadPool();
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    const controller = new AbortController();
    const running = pool.run(GO_ON_FOR_EVER, { stopped }, { signal: controller.signal });
    await pool.run(GO_ON, { ms: 1 });
    controller.abort(new Error("left"));
    await expect(running).rejects.toThrow("left");
    expect(stopped[0]).toBe(1);
    await expect(pool.run(GO_ON, { ms: 1 }, { signal: controller.signal })).rejects.toThrow("left");
  });

  it("fails as the task fails, and goes on", async () => {
    pool = new ThreadPool();
    await expect(pool.run(FAIL, { kind: "changed" })).rejects.toBeInstanceOf(SourceChangedError);
    const unavailable = pool.run(FAIL, { kind: "unavailable" });
    await expect(unavailable).rejects.toBeInstanceOf(SourceUnavailableError);
    await expect(unavailable).rejects.toMatchObject({ message: "a.jsonl cannot be read.", cause: "EIO" });
    await expect(pool.run(FAIL, { kind: "broken" })).rejects.toThrow("something is broken");
    expect(await pool.run(GO_ON, { ms: 1 })).toBe("done");
  });

  it("runs the tasks of a lane in the same thread, and the others in all of them", async () => {
    pool = new ThreadPool(2);
    expect(pool.threads).toBe(2);
    for (const text of ["a", "b"]) await pool.run(KEEP, { text }, { lane: 1 });
    const { kept, bytes } = await pool.run(KEEP, { text: "c" }, { lane: 1 });
    expect(kept).toEqual(["a", "b", "c"]);
    expect(new TextDecoder().decode(bytes)).toBe("c");
    const both = await Promise.all(["d", "e"].map((text) => pool.run(KEEP, { text })));
    expect(both.map((output) => output.kept.length).sort()).toEqual([1, 4]);
  });

  it("has all threads load the module of a task before they are given one, and fails nobody where that cannot be loaded", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "loaded-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const code = `import fs from "node:fs"; import { threadId } from "node:worker_threads"; fs.writeFileSync(${JSON.stringify(folder)} + "/" + threadId, "");`;
    pool = new ThreadPool(2);
    pool.begin({ module: `data:text/javascript,${encodeURIComponent(code)}` });
    pool.begin({ module: "file:///nowhere.mjs" });
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(2), { timeout: 10_000 });
    expect(await pool.run(GO_ON, { ms: 1 })).toBe("done");
  });

  it("runs a task of a bundle in slices: its module is the application, which no thread may start", async () => {
    const threads = startedThreads();
    vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    pool = new ThreadPool();
    const inBundle = { ...GO_ON, module: ownModule("file:///app/dist/server.mjs", "reading-tasks") };
    expect(await pool.run(inBundle, { ms: 1 })).toBe("done");
    const left = pool.run({ ...inBundle, steps: tasks.fail }, { kind: "changed" });
    await expect(left).rejects.toBeInstanceOf(SourceChangedError);
    expect(threads).toEqual([]);
  });

  it("runs nothing after it was closed", async () => {
    pool = new ThreadPool();
    const running = pool.run(GO_ON, { ms: 10_000 });
    const failing = expect(running).rejects.toThrow();
    await pool.close();
    await failing;
    await expect(pool.run(GO_ON, { ms: 1 })).rejects.toThrow("closed");
  });
});
