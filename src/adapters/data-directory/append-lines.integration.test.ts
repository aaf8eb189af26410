import { appendFileSync, readFileSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/data-directory.js";
import { runs } from "../../../test/support/soak.js";
import { AppendQueues } from "./append-lines.js";

const line = (id: number, padding = 0) => `${JSON.stringify({ id, padding: "x".repeat(padding) })}\n`;

const TORN = line(-1, 20).slice(0, 12);

/**
 * Disturbance of one write: lines that others have appended since the file was checked, and the number of bytes after which the write
 * stops.
 */
interface Disturbance {
  readonly before?: string;
  readonly bytes?: number | undefined;
  readonly error?: Error;
}

/** A file whose next writes are disturbed, one after the other. */
async function disturbedFile(disturbances: readonly Disturbance[] = []) {
  const file = path.join(await temporaryFolder(), "events.jsonl");
  const handle = await open(file, "a");
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const original = prototype.write as (...args: unknown[]) => Promise<{ bytesWritten: number }>;
  const queue = [...disturbances];
  const write = vi.spyOn(prototype, "write").mockImplementation(function (this: FileHandle, data: never) {
    const { before = "", bytes, error } = queue.shift() ?? {};
    appendFileSync(file, before);
    if (error !== undefined) return Promise.reject(error);
    // A write that stops just before a line feed leaves a torn line that nobody can recognise as torn.
    const isRecord = bytes !== undefined && data[bytes] === "\n".charCodeAt(0);
    return original.call(this, (data as Buffer).subarray(0, isRecord ? bytes + 1 : bytes));
  } as never);
  onTestFinished(() => write.mockRestore());
  const queues = new AppendQueues(path.dirname(file));
  return {
    file,
    write,
    append: (...lines: string[]) => queues.appendNow(file, lines.join("")),
  };
}

/** Returns the ids of the records of a file, sorted; a line that is not a record is returned as text. */
function recordsOf(file: string): (number | string)[] {
  const texts = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return texts.map((text) => {
    try {
      return (JSON.parse(text) as { id: number }).id;
    } catch {
      return text;
    }
  });
}

describe("Lines that are appended", () => {
  it("are one write, of 20 MB, too", async () => {
    const { file, write, append } = await disturbedFile();
    await append(line(1, 20_000_000), line(2));
    expect(write).toHaveBeenCalledTimes(1);
    expect(recordsOf(file)).toEqual([1, 2]);
  });

  it("close a torn line with a line feed, and do not cut it", async () => {
    const { file, append } = await disturbedFile();
    await writeFile(file, TORN);
    await append(line(1));
    expect(recordsOf(file)).toEqual([TORN, 1]);
  });

  it("are there once where a writer was killed between the look at the file and the write", async () => {
    const { file, append } = await disturbedFile([{ before: line(7) + TORN }, { before: TORN }]);
    await append(line(1), line(2));
    expect(recordsOf(file).filter((record) => typeof record === "number")).toEqual([7, 2, 1]);
  });

  it("are not written again behind whole records of others", async () => {
    const { file, write, append } = await disturbedFile([{ before: line(7, 100) + line(8, 9) }]);
    await append(line(1));
    expect(recordsOf(file)).toEqual([7, 8, 1]);
    expect(write).toHaveBeenCalledTimes(1);
  });

  it("go on behind a short write with the line that it tore", async () => {
    const { file, append } = await disturbedFile([{ bytes: line(1).length + 5 }, { bytes: 1 }]);
    await append(line(1), line(2), line(3));
    expect(recordsOf(file)).toEqual([1, line(2).slice(0, 5), 2, 3]);
  });

  it("fail where the disk is full, and cost the next ones nothing", async () => {
    const full = new Error("ENOSPC");
    const { file, append } = await disturbedFile([{ bytes: 9 }, { error: full }]);
    await expect(append(line(1))).rejects.toBe(full);
    await append(line(2));
    expect(recordsOf(file)).toEqual([line(1).slice(0, 9), 2]);
  });

  it("fail where nothing is written", async () => {
    const { append } = await disturbedFile([{ bytes: 0 }]);
    await expect(append(line(1))).rejects.toThrow("no more bytes");
  });

  it("are there once and whole, whatever happens to the file and the writes", async () => {
    const disturbance = fc.record({
      before: fc.constantFrom("", "", line(-1), TORN, line(-1, 50) + TORN, line(-1).slice(0, -1), "{", "\n"),
      bytes: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 80 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(disturbance, { maxLength: 12 }), async (disturbances) => {
        const { file, write, append } = await disturbedFile(disturbances);
        const ids = Array.from({ length: 12 }, (_, id) => id);
        for (let id = 0; id < ids.length; id += 3) {
          await append(line(id, id), line(id + 1), line(id + 2));
        }
        write.mockRestore();
        const own = recordsOf(file).filter((record) => typeof record === "number" && record >= 0);
        expect(own.sort((a, b) => Number(a) - Number(b))).toEqual(ids);
      }),
      { numRuns: runs(200) },
    );
  });
});
