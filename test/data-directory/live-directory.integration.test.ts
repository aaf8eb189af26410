import { appendFile, mkdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource, SourceChangedError } from "../../src/advanced.js";
import type { InspectorDataSource, RecordStream, RecordWarning } from "../../src/index.js";
import { envelopeText } from "../contract/fixture.js";
import { emptySession } from "../support/data-directory.js";
import { pools } from "../support/pools.js";
import { inspect, inspectJson } from "../support/read-list.js";
import { sized } from "../support/soak.js";

const MESSAGES = "/sessions/s1/messages?tenantId=acme";
const TRACE = "/sessions/s1/trace?tenantId=acme";

interface Messages {
  readonly messages: readonly { readonly content: unknown }[];
  readonly warnings?: readonly RecordWarning[];
}

const message = (content: unknown) => JSON.stringify({ role: "user", content });

const contents = ({ messages }: Messages) => messages.map(({ content }) => content);

describe.each(pools())("%s", (_, pool) => {
  const open = (dataDir: string) => createFilesystemInspectorDataSource(dataDir, { pool });

  async function messagesIn(bytes: string | Uint8Array): Promise<Messages> {
    const files = await emptySession();
    await writeFile(files.messages, bytes);
    return inspectJson<Messages>(open(files.dataDir), MESSAGES);
  }

  describe("a reader of a live directory survives", () => {
    it("a file that grows between two readings", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      for (let i = 0; i < 5; i++) {
        await appendFile(files.messages, `${message(i)}\n`);
        expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(
          Array.from({ length: i + 1 }, (_, n) => n),
        );
      }
    });

    it("a file that grows while it is read: the answer is what there was at its beginning", async () => {
      const files = await emptySession();
      await writeFile(files.messages, `${message("a")}\n${message("b")}\n`);
      const stream = await messagesOf(open(files.dataDir));
      await appendFile(files.messages, `${message("c")}\n`);
      expect(await textOf(stream)).toBe(`${message("a")},${message("b")}`);
    });

    it("a torn last line, which is no warning and costs nothing", async () => {
      const whole = `${message("a")}\n${message("b")}\n`;
      for (const torn of ['{"role":"us', '{"role":"user","content":"c"', "{", '"', "\0\0\0"]) {
        const answer = await messagesIn(whole + torn);
        expect(contents(answer)).toEqual(["a", "b"]);
        expect(answer).not.toHaveProperty("warnings");
      }
    });

    it("a torn last line that is completed later", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      await writeFile(files.messages, `${message("a")}\n${message("b").slice(0, 9)}`);
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["a"]);
      await appendFile(files.messages, message("b").slice(9));
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["a", "b"]);
      await appendFile(files.messages, `\n${message("c")}\n`);
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["a", "b", "c"]);
    });

    it("a corrupt line, which costs that line and gives a warning", async () => {
      const answer = await messagesIn(`${message("a")}\n{"role": oops\n${message("b")}\n`);
      expect(contents(answer)).toEqual(["a", "b"]);
      expect(answer.warnings).toEqual([{ file: "messages.jsonl", line: 2, reason: "is not valid JSON" }]);
    });

    it("lines that are valid JSON and no record", async () => {
      const answer = await messagesIn(`null\n42\n[]\n"text"\n${message("a")}\n`);
      expect(contents(answer)).toEqual(["a"]);
      expect(answer.warnings?.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    });

    it("thousands of corrupt lines, of which the first are named and the others counted", async () => {
      const answer = await messagesIn(`${"oops\n".repeat(2_500)}${message("a")}\n`);
      expect(contents(answer)).toEqual(["a"]);
      expect(answer.warnings).toHaveLength(1_001);
      expect(answer.warnings?.at(-1)).toMatchObject({ line: 2_500 });
      expect(answer.warnings?.at(-1)?.reason).toContain("1499");
    });

    it("a line of many megabytes, and a corrupt one", async () => {
      const length = sized(5_000_000, 50_000_000);
      const long = message("x".repeat(length));
      const answer = await messagesIn(`${message("a")}\n${long}\n${long.slice(0, -2)}\n${message("b")}\n`);
      expect(answer.messages).toHaveLength(3);
      expect(answer.messages[1]?.content).toHaveLength(length);
      expect(answer.messages[2]?.content).toBe("b");
      expect(answer.warnings).toMatchObject([{ line: 3, reason: "is not valid JSON" }]);
    });

    it("NUL bytes, a byte order mark, CRLF, blank lines and white space around records", async () => {
      const answer = await messagesIn(
        `\uFEFF${message("a")}\r\n\r\n  ${message("b")} \t\r\n\0\0\0\0\n\n${message("c")}\r\n`,
      );
      expect(contents(answer)).toEqual(["a", "b", "c"]);
      expect(answer.warnings).toMatchObject([{ line: 4 }]);
    });

    it("an empty file, a file with nothing but a byte order mark, and a missing one", async () => {
      expect(contents(await messagesIn(""))).toEqual([]);
      expect(contents(await messagesIn("\uFEFF"))).toEqual([]);
      const files = await emptySession();
      const source = open(files.dataDir);
      expect(await inspectJson(source, MESSAGES)).toEqual({ messages: [] });
      expect(await inspectJson(source, TRACE)).toEqual({ envelopes: [] });
    });

    it("a file that is cut and written anew under what was kept of it", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      await writeFile(files.messages, ["a", "b", "c"].map((content) => `${message(content)}\n`).join(""));
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["a", "b", "c"]);
      await truncate(files.messages, message("a").length + 1);
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["a"]);
      await truncate(files.messages, 0);
      await appendFile(
        files.messages,
        ["d", "e", "f", "g"].map((content) => `${message(content)}\n`).join(""),
      );
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["d", "e", "f", "g"]);
    });

    it("a file that is replaced by a longer one", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      await writeFile(files.messages, `${message("a")}\n`);
      await inspectJson(source, MESSAGES);
      await writeFile(`${files.messages}.new`, `${message("x")}\n${message("y")}\n`);
      await rename(`${files.messages}.new`, files.messages);
      expect(contents(await inspectJson<Messages>(source, MESSAGES))).toEqual(["x", "y"]);
    });

    it("a file that is replaced or deleted between lookup and reading: an error, never wrong records", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      await writeFile(files.messages, `${message("a")}\n`);
      const stream = await messagesOf(source);
      await writeFile(`${files.messages}.new`, `${message("b")}\n`);
      await rename(`${files.messages}.new`, files.messages);
      await expect(textOf(stream)).rejects.toBeInstanceOf(SourceChangedError);
      await rm(files.messages);
      await expect(textOf(stream)).rejects.toBeInstanceOf(SourceChangedError);
    });

    it("a session that is deleted between lookup and reading: an error, never a session without records", async () => {
      const files = await emptySession();
      await writeFile(files.messages, `${message("a")}\n`);
      const session = await open(files.dataDir).openSession?.("acme", "s1");
      await rm(files.folder, { recursive: true });
      await expect(session?.messages()).rejects.toBeInstanceOf(SourceChangedError);
    });

    it("a session that is deleted", async () => {
      const files = await emptySession();
      const source = open(files.dataDir);
      await writeFile(files.messages, `${message("a")}\n`);
      expect((await source.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
      await rm(files.folder, { recursive: true });
      expect(await source.listSessions()).toEqual([]);
      expect((await inspect(source, MESSAGES)).status).toBe(404);
    });

    it("folders and pipes where files should be", async () => {
      const files = await emptySession();
      await mkdir(files.messages);
      const source = open(files.dataDir);
      expect(await inspectJson(source, MESSAGES)).toEqual({ messages: [] });
    });

    it("files beside tenants and sessions, and a data directory that is not there yet", async () => {
      const files = await emptySession();
      await writeFile(path.join(files.dataDir, "tenants", "README"), "no tenant");
      await writeFile(path.join(path.dirname(files.folder), ".DS_Store"), "no session");
      const source = open(files.dataDir);
      expect((await source.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
      const none = open(path.join(files.dataDir, "not", "there"));
      expect(await none.listSessions()).toEqual([]);
      expect((await inspect(none, MESSAGES)).status).toBe(404);
    });

    it("records without the fields that one would expect, which are shown as they are", async () => {
      const files = await emptySession();
      await writeFile(files.trace, '{}\n{"event":"text"}\n{"sequence":"one","timestamp":7,"traceId":null}\n');
      await writeFile(
        files.session,
        '{"type":"init"}\n{"type":"turn"}\n{"type":"turn","inputTokens":"many"}\n{}\n',
      );
      const source = open(files.dataDir);
      expect(await inspectJson(source, TRACE)).toEqual({
        envelopes: [
          { sequence: 0 },
          { sequence: 1, event: "text" },
          { sequence: 2, timestamp: 7, traceId: null },
        ],
        warnings: [{ file: "session.jsonl", line: 3, reason: expect.stringContaining("token count") }],
      });
      expect(await source.listSessions()).toMatchObject([
        { userId: "", turns: 2, tokens: 0, status: "idle", warnings: 1 },
      ]);
    });

    it("corrupt orchestration events, which the trace and the agents report", async () => {
      const files = await emptySession();
      await writeFile(files.trace, `${envelopeText(0, { type: "x" })}\n`);
      await writeFile(files.orchestration, '{"eventId":"e1","type":"agent_spawned"}\noops\n');
      const source = open(files.dataDir);
      expect(await inspectJson(source, TRACE)).toMatchObject({
        envelopes: [{ sequence: 0 }, { sequence: 1, id: "e1" }],
        warnings: [{ file: "orchestration/events.jsonl", line: 2 }],
      });
      expect(await inspectJson(source, TRACE.replace("trace", "orchestration"))).toMatchObject({
        warnings: [{ file: "orchestration/events.jsonl", line: 2 }],
      });
    });
  });
});

async function messagesOf(source: InspectorDataSource): Promise<RecordStream> {
  const session = await source.openSession?.("acme", "s1");
  if (session === undefined) throw new Error("there is no such session");
  return session.messages();
}

async function textOf(stream: RecordStream): Promise<string> {
  const texts: string[] = [];
  for await (const batch of stream.read({ from: 0, to: stream.size })) {
    texts.push(new TextDecoder().decode(batch.text));
  }
  return texts.join(",");
}
