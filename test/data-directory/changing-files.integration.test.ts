import { appendFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { indexRecords } from "../../src/adapters/data-directory/file-indexes.js";
import { createFilesystemInspectorDataSource, SourceChangedError } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream } from "../../src/index.js";
import { emptySession } from "../support/data-directory.js";
import { pools } from "../support/pools.js";
import { inspectJson } from "../support/read-list.js";

const MESSAGES = "/sessions/s1/messages?tenantId=acme";

interface Messages {
  readonly messages: readonly { readonly content: string }[];
}

const message = (content: string) => `${JSON.stringify({ role: "user", content })}\n`;

const messages = (count: number, letter: string) => message(letter.repeat(69)).repeat(count);

/** More than one batch, and than one chunk of a reading. */
const MANY = 6_000;

/** Moves every line end between the first and last 8 KiB: as many bytes, and the same lines at both ends. */
function withOtherLines(text: string): string {
  const edge = 90 * messages(1, "a").length;
  const inner = text.length - 2 * edge;
  return text.slice(0, edge) + message("z".repeat(inner - message("").length)) + text.slice(-edge);
}

describe.each(pools())("%s", (_, pool) => {
  async function session(text: string) {
    const files = await emptySession();
    writeFileSync(files.messages, text);
    const source = createFilesystemInspectorDataSource(files.dataDir, { pool });
    const contents = async () => {
      const { messages: found } = await inspectJson<Messages>(source, MESSAGES);
      return found.map(({ content }) => content);
    };
    return { file: files.messages, source, contents };
  }

  describe("what is answered of a file that was", () => {
    it("written over in place by a longer one, with a line end where the old one ended and the same bytes before it", async () => {
      const end = message("e".repeat(200));
      const { file, contents } = await session(message("a") + message("b") + end);
      expect(await contents()).toHaveLength(3);
      const longer = message(`a${"x".repeat(message("b").length)}`) + end + message("c");
      expect(longer.indexOf(end)).toBe((message("a") + message("b")).length);
      writeFileSync(file, longer);
      expect(await contents()).toEqual(contentsIn(longer));
    });

    it("written over between its beginning and its end", async () => {
      const text = messages(MANY, "a");
      const { file, source, contents } = await session(text);
      await contents();
      const longer = withOtherLines(text) + message("more");
      writeFileSync(file, longer);
      const batches = (await messagesOf(source)).read({ from: 0, to: MANY })[Symbol.asyncIterator]();
      await expect(readOn(batches)).rejects.toBeInstanceOf(SourceChangedError);
      expect(await contents()).toEqual(contentsIn(longer));
    });

    it("written over by as many bytes, with its modification time set back", async () => {
      const { file, contents } = await session(message("a"));
      utimesSync(file, 1, 1);
      expect(await contents()).toEqual(["a"]);
      writeFileSync(file, message("b"));
      utimesSync(file, 1, 1);
      expect(await contents()).toEqual(["b"]);
    });

    it("deleted, when another one was given its number", async () => {
      const { file, contents } = await session(message("a"));
      utimesSync(file, 1, 1);
      expect(await contents()).toEqual(["a"]);
      const { ino } = statSync(file);
      for (let i = 0; i < 20; i++) {
        rmSync(file);
        writeFileSync(file, message("b"));
        utimesSync(file, 1, 1);
        if (statSync(file).ino === ino) break;
      }
      expect(await contents()).toEqual(["b"]);
    });
  });

  describe("a list breaks off, and the next answer is right, where its file meanwhile is", () => {
    const text = messages(MANY, "a");
    const changes: Readonly<Record<string, (file: string) => string>> = {
      "written over in place by as many bytes": (file) => write(file, messages(MANY, "b")),
      "written over in place by more": (file) => write(file, messages(MANY + 1, "b")),
      "written over between its beginning and its end": (file) =>
        write(file, withOtherLines(text) + message("more")),
      cut: (file) => {
        truncateSync(file, 100);
        return messages(1, "a");
      },
      "replaced by one that is given its number": (file) => {
        rmSync(file);
        return write(file, messages(MANY, "b"));
      },
    };

    it.each(Object.entries(changes))("%s", async (_name, change) => {
      const { file, source, contents } = await session(text);
      const batches = (await messagesOf(source)).read({ from: 0, to: MANY })[Symbol.asyncIterator]();
      expect((await batches.next()).value?.size).toBeLessThan(MANY);
      const now = change(file);
      await expect(readOn(batches)).rejects.toBeInstanceOf(SourceChangedError);
      expect(await contents()).toEqual(contentsIn(now));
    });

    it("written over after the last batch, which is not cached", async () => {
      const { file, source, contents } = await session(message("a"));
      const batches = (await messagesOf(source)).read({ from: 0, to: 1 })[Symbol.asyncIterator]();
      await batches.next();
      writeFileSync(file, message("b"));
      await expect(batches.next()).rejects.toBeInstanceOf(SourceChangedError);
      expect(await contents()).toEqual(["b"]);
    });
  });

  it("a list goes on where its file grows meanwhile", async () => {
    const { file, source } = await session(messages(MANY, "a"));
    const batches = (await messagesOf(source)).read({ from: 0, to: MANY })[Symbol.asyncIterator]();
    const first = await batches.next();
    appendFileSync(file, message("more"));
    expect((first.value?.size ?? 0) + (await readOn(batches))).toBe(MANY);
  });
});

const MOST = { records: 1_000_000, bytes: 1_000_000_000 };

describe("a file that changes while it is indexed", () => {
  async function indexing() {
    const { dataDir, messages: file } = await emptySession();
    writeFileSync(file, messages(MANY, "a"));
    const request = {
      root: dataDir,
      path: file,
      content: "records",
      most: MOST,
      previous: undefined,
    } as const;
    return { file, steps: indexRecords(request) };
  }

  async function indexedWhile(change: (file: string) => void) {
    const { file, steps } = await indexing();
    steps.next();
    change(file);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value!;
    }
  }

  it("is read anew where it was written over", async () => {
    const written = message("b".repeat(300)).repeat(MANY);
    const { starts, lengths } = await indexedWhile((file) => writeFileSync(file, written));
    expect(starts.length).toBe(MANY);
    expect(new Set(lengths)).toEqual(new Set([message("b".repeat(300)).length - 1]));
  });

  it("is read up to where it ended when it has grown", async () => {
    expect((await indexedWhile((file) => appendFileSync(file, message("b")))).starts.length).toBe(MANY);
  });

  it("is given up where it is written over again and again", async () => {
    const { file, steps } = await indexing();
    const readOnAndOn = () => {
      for (let i = 0; !steps.next().done; i++) writeFileSync(file, messages(MANY + (i % 2), "ab"[i % 2]!));
    };
    expect(readOnAndOn).toThrow(SourceChangedError);
  });
});

function contentsIn(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { content: string }).content);
}

function write(file: string, text: string): string {
  writeFileSync(file, text);
  return text;
}

async function messagesOf(source: InspectorDataSource): Promise<RecordStream> {
  return (await source.openSession!("acme", "s1"))!.messages();
}

async function readOn(batches: AsyncIterator<{ readonly size: number }>): Promise<number> {
  let size = 0;
  for (let next = await batches.next(); !next.done; next = await batches.next()) size += next.value.size;
  return size;
}
