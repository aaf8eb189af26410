import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SpanFiles } from "./span-files.js";

let directory: string;

beforeEach(async () => {
  directory = path.join(await mkdtemp(path.join(tmpdir(), "span-files-")), "spans");
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(path.dirname(directory), { recursive: true, force: true });
});

const filesOf = (options: { maxFileBytes?: number } = {}) =>
  new SpanFiles({ directory, maxFileBytes: 1_000, ...options });
const line = (text: string) => Buffer.from(`${text}\n`);

/** The texts of the files, oldest first. */
async function written(): Promise<string[]> {
  const names = await readdir(directory);
  const files = await Promise.all(
    names.map(async (name) => ({ name, begun: (await stat(path.join(directory, name))).birthtimeMs })),
  );
  files.sort((a, b) => a.begun - b.begun);
  return Promise.all(files.map(({ name }) => readFile(path.join(directory, name), "utf8")));
}

type Write = (bytes: Buffer, at: number, length: number) => Promise<{ bytesWritten: number }>;

/** Replaces the write function of all open files. */
async function replaceWrite(write: (real: Write, bytes: Buffer, at: number) => ReturnType<Write>) {
  const handle = await open(path.dirname(directory));
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as { write: Write };
  const real = prototype.write;
  vi.spyOn(prototype, "write").mockImplementation(function (this: unknown, bytes, at) {
    return write(real.bind(this), bytes, at);
  });
}

describe("files of spans", () => {
  it("are begun with the first spans, for their owner alone, and named by when that was", async () => {
    const files = filesOf();
    await expect(stat(directory)).rejects.toThrow();
    await files.append(line("a"));
    const [name = ""] = await readdir(directory);
    expect(name).toMatch(/^spans-\d{8}T\d{6}Z-[\da-f]{8}\.jsonl$/);
    expect(((await stat(path.join(directory, name))).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(directory)).mode & 0o777).toString(8)).toBe("700");
    await files.close();
  });

  it("hold appends in the order of the calls", async () => {
    const files = filesOf();
    await Promise.all(["a", "b", "c"].map((text) => files.append(line(text))));
    expect(await written()).toEqual(["a\nb\nc\n"]);
    await files.close();
  });

  it("are followed by another one before they get too large, and hold a request whole that is larger alone", async () => {
    const files = filesOf({ maxFileBytes: 5 });
    for (const text of ["ab", "c", "d", "larger than all", "e"]) await files.append(line(text));
    expect((await written()).sort()).toEqual(["ab\nc\n", "d\n", "e\n", "larger than all\n"]);
    await files.close();
  });

  it("are written next to those of others, never into them", async () => {
    const [one, other] = [filesOf(), filesOf()];
    await Promise.all([one.append(line("a")), other.append(line("b"))]);
    expect((await written()).sort()).toEqual(["a\n", "b\n"]);
    await Promise.all([one.close(), other.close()]);
  });

  it("are begun anew where somebody deleted them, and the folder", async () => {
    const files = filesOf();
    await files.append(line("a"));
    await rm(directory, { recursive: true });
    await files.append(line("b"));
    expect(await written()).toEqual(["b\n"]);
    await files.close();
  });

  it("go on behind a write that stopped short", async () => {
    const files = filesOf();
    await files.append(line("a"));
    await replaceWrite((real, bytes, at) => real(bytes, at, 1));
    await files.append(line("long"));
    expect(await written()).toEqual(["a\nlong\n"]);
    await files.close();
  });

  it("keep nothing of a request that could not be written whole, and the next one goes into another file", async () => {
    const files = filesOf();
    await files.append(line("a"));
    let calls = 0;
    await replaceWrite((real, bytes, at) => {
      return calls++ === 0 ? real(bytes, at, 2) : Promise.reject(new Error("no space"));
    });
    await expect(files.append(line("torn"))).rejects.toThrow("no space");
    vi.restoreAllMocks();
    await files.append(line("b"));
    expect((await written()).sort()).toEqual(["a\n", "b\n"]);
    await files.close();
  });
});
