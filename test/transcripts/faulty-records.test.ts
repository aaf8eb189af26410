import { describe, expect, it } from "vitest";
import { claudeCodeFormat } from "../../src/adapters/formats/claude-code/claude-code-format.js";
import { codexFormat } from "../../src/adapters/formats/codex/codex-format.js";
import { geminiCliFormat } from "../../src/adapters/formats/gemini-cli/gemini-cli-format.js";
import { headOf } from "../../src/adapters/transcripts/folder/file-heads.js";
import type { TranscriptFolder, TranscriptFormat } from "../../src/adapters/transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../src/adapters/transcripts/source/reading-tasks.js";
import { TranscriptDataSource } from "../../src/adapters/transcripts/source/transcript-data-source.js";
import { asDataSource } from "../../src/application/sources/lift.js";
import * as claude from "../claude-code/support/projects.js";
import * as codex from "../codex/support/homes.js";
import * as gemini from "../gemini-cli/support/homes.js";
import { traceOf } from "../support/snapshots.js";

/** One session has a mark in its third record, and one has none. */
const MARK = "explode";
const HISTORIES: readonly (readonly [
  format: TranscriptFormat,
  tenantId: string,
  folder: () => Promise<string>,
])[] = [
  [
    claudeCodeFormat,
    "p",
    () => {
      const session = (first: number, text: string) =>
        claude.lines(
          claude.userRecord(first, 1, "Count the apples."),
          claude.assistantRecord(first + 1, 2, `m${first}`, [{ type: "text", text: "Two." }]),
          claude.userRecord(first + 2, 3, text),
          claude.assistantRecord(first + 3, 4, `n${first}`, [{ type: "text", text: "Three." }]),
        );
      return claude.newProjects({ "p/bad.jsonl": session(10, MARK), "p/good.jsonl": session(20, "Again.") });
    },
  ],
  [
    codexFormat,
    codex.TENANT,
    () => {
      const session = (id: string, text: string) =>
        codex.lines([
          codex.meta(id),
          ...codex.prompted("Count."),
          codex.said("assistant", text),
          codex.said("assistant", "3"),
        ]);
      const files = {
        [codex.rolloutOf("bad")]: session("bad", MARK),
        [codex.rolloutOf("good")]: session("good", "2"),
      };
      return codex.newHome(files);
    },
  ],
  [
    geminiCliFormat,
    "shop",
    () => {
      const session = (id: string, text: string) =>
        gemini.lines(
          gemini.header(id),
          gemini.user("u", 1, "Count."),
          gemini.gemini("g", 2, text),
          gemini.gemini("h", 3, "3"),
        );
      const file = (id: string) => `tmp/shop/chats/session-${id}.jsonl`;
      return gemini.newHome({ [file("bad")]: session("bad", MARK), [file("good")]: session("good", "2") });
    },
  ],
];

function fail(value: unknown): void {
  if (JSON.stringify(value).includes(MARK)) throw new TypeError("no such record");
}

function open(folder: string, format: TranscriptFormat) {
  const histories = new TranscriptDataSource(folder, tasksOf("", "", readingSteps(format)), {
    threads: false,
  });
  const list = async () => {
    const { items, warnings } = await histories.findSessions({});
    return { items: items.map(({ sessionId, warnings: count = 0 }) => [sessionId, count]).sort(), warnings };
  };
  return { source: asDataSource(histories), list };
}

describe.each(HISTORIES)(
  "What makes the inspector fail in a history of $name",
  (format, tenantId, folder) => {
    const FAULT = "made the inspector fail (TypeError: no such record)";

    it("is a record: it is left out and named, and no other one is", async () => {
      const parts: TranscriptFormat["parts"] = (record, line) => {
        fail(record);
        return format.parts(record, line);
      };
      const { source, list } = open(await folder(), { ...format, parts });
      const whole = open(await folder(), format).source;
      const { items, warnings } = await list();
      expect(items).toEqual([
        ["bad", 1],
        ["good", 0],
      ]);
      expect(warnings).toEqual([]);
      const { size, warnings: ofTrace } = await traceOf(source, tenantId, "bad");
      expect(ofTrace).toEqual([
        {
          file: expect.stringContaining("bad"),
          line: expect.any(Number),
          reason: `${FAULT}, and is skipped`,
        },
      ]);
      expect(size).toBeGreaterThan(4);
      expect(size).toBeLessThan((await traceOf(whole, tenantId, "bad")).size);
      expect(await source.loadTraceEnvelopes(tenantId, "good")).toEqual(
        await whole.loadTraceEnvelopes(tenantId, "good"),
      );
    });

    it("is an event: it says so in its place, and all others are there", async () => {
      const parts: TranscriptFormat["parts"] = (record, line) => {
        const read = format.parts(record, line);
        const event = () => fail(record) as never;
        if (!JSON.stringify(record).includes(MARK)) return read;
        const failing = { sessionStart: event, callEnd: event, passed: event };
        return Object.assign(read, failing, { parts: read.parts.map((part) => ({ ...part, event })) });
      };
      const root = await folder();
      const { source, list } = open(root, { ...format, parts });
      // The list builds no event.
      expect((await list()).items).toEqual([
        ["bad", 0],
        ["good", 0],
      ]);
      const events = (await source.loadTraceEnvelopes(tenantId, "bad")).map(({ event }) => event);
      const whole = (await open(root, format).source.loadTraceEnvelopes(tenantId, "bad")).map(
        ({ event }) => event,
      );
      expect(events).toHaveLength(whole.length);
      const faults = events.filter(({ type }) => type === `${format.name}.fault`);
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.length).toBeLessThan(events.length);
      for (const { fault, stored } of faults) {
        expect({ fault, stored }).toEqual({
          fault: "TypeError: no such record",
          stored: { file: expect.stringContaining("bad"), line: expect.any(Number) },
        });
      }
    });

    it("is a session: it is listed, and named", async () => {
      const discover: TranscriptFolder["discover"] = function* (...of) {
        const sessions = yield* format.folder.discover(...of);
        return sessions.map((session) => ({
          ...session,
          fault: session.sessionId === "bad" ? "TypeError" : undefined,
        }));
      };
      const faulty = {
        file: `${tenantId}/bad`,
        line: 1,
        reason: expect.stringMatching(/made the inspector fail/),
      };
      const ids = [
        ["bad", expect.any(Number)],
        ["good", 0],
      ];
      expect(
        await open(await folder(), { ...format, folder: { ...format.folder, discover } }).list(),
      ).toEqual({
        items: ids,
        warnings: [faulty],
      });
      const follower = () => {
        throw new TypeError("no such session");
      };
      const { items, warnings } = await open(await folder(), { ...format, follower }).list();
      expect(items).toEqual([
        ["bad", 1],
        ["good", 1],
      ]);
      expect(warnings).toContainEqual(faulty);
    });

    it("is a tenant: it is named", async () => {
      // biome-ignore lint/correctness/useYield: what fails at once has nothing to pause for
      const discover: TranscriptFolder["discover"] = function* () {
        throw new TypeError("no such folder");
      };
      expect(
        await open(await folder(), { ...format, folder: { ...format.folder, discover } }).list(),
      ).toEqual({
        items: [],
        warnings: [
          {
            file: tenantId,
            line: 1,
            reason: "made the inspector fail (TypeError: no such folder), and is skipped",
          },
        ],
      });
    });
  },
);

it("What makes the inspector fail is the beginning of a file: that is all that is not known of it", async () => {
  const root = await claude.newProjects({ "p/a.jsonl": claude.lines({ type: "user" }) });
  const none = { fault: undefined };
  const after = () => {
    throw new TypeError("no such head");
  };
  const reading = headOf(
    { name: "test", none, shape: {}, mostLines: 1, isComplete: () => false, after },
    { root, realRoot: root, cache: undefined },
    `${root}/p/a.jsonl`,
  );
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  expect(step.value).toEqual({ fault: "TypeError: no such head" });
});
