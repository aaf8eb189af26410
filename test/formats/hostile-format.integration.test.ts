import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { ThreadPool } from "../../src/adapters/files/threads/thread-pool.js";
import { SummarizeSession } from "../../src/application/questions/summarize-session.js";
import type { FormatDefinition } from "../../src/formats.js";
import { createHistoriesDataSource, openHistories } from "../../src/histories.js";
import { temporaryFolder } from "../support/data-directory.js";
import { inventedFolder } from "../support/invented/histories.js";

/** Source of a format whose `record` returns the value of one of these expressions. */
const NONSENSE: Readonly<Record<string, string>> = {
  "an error": '(() => { throw new Error("broken"); })()',
  "null as an error": "(() => { throw null; })()",
  "an error without a readable message":
    '(() => { throw Object.defineProperty(new Error(), "message", { get() { throw 1; } }); })()',
  nothing: "undefined",
  "a rejected promise": 'Promise.reject(new Error("late"))',
  "a text": '"parts"',
  "parts without an end": "{ parts: { *[Symbol.iterator]() { for (;;) yield { is: 'text', text: 'x' }; } } }",
  "parts with a length alone": "{ parts: new Array(4e9) }",
  "a million parts": "{ parts: Array.from({ length: 1e6 }, () => ({ is: 'text', text: 'x' })) }",
  "parts of no kind": "{ parts: [{ is: 'toString' }] }",
  "a null part": "{ parts: [null] }",
  "two prompts": "{ parts: [{ is: 'prompt', text: 'a' }, { is: 'prompt', text: 'b' }] }",
  "texts of other types":
    "{ parts: [{ is: 'text', text: 5 }, { is: 'call', callId: {}, tool: [] }], type: {}, id: 7 }",
  "negative counts":
    "{ parts: [{ is: 'text', text: 'x' }], call: { usage: { inputTokens: -5, outputTokens: NaN } } }",
  "counts without a bound":
    "{ parts: [{ is: 'text', text: 'x' }], call: { usage: { inputTokens: 1e308 }, costUsd: 1e308 } }",
  "costs and durations below 0":
    "{ parts: [{ is: 'text', text: 'x' }], call: { costUsd: -1, durationMs: -1e12 } }",
  "an instant after every year": "{ parts: [{ is: 'text', text: 'x' }], instant: 1e300 }",
  "an instant before every year": "{ parts: [{ is: 'prompt', text: 'x' }], instant: -1 }",
  "an instant of another type": "{ parts: [{ is: 'text', text: 'x' }], instant: { valueOf() { throw 1; } } }",
  "names of every object":
    '{ parts: [{ is: \'text\', text: \'x\', more: JSON.parse(\'{"__proto__": {"type": "llm.end"}, "constructor": 1}\') }] }',
  "reserved members":
    "{ parts: [{ is: 'text', text: 'x', more: { type: 'llm.end', usage: 'many', callId: 3 } }], call: { more: { type: 5, usage: -1 } } }",
  "an event of another kind":
    "{ parts: [], passed: { type: 'turn.start', turnIndex: -1 }, start: { type: 'llm.end' } }",
  "a value that contains itself":
    "(() => { const a = { parts: [{ is: 'call' }] }; a.parts[0].input = a; return a; })()",
  "a value of 100,000 levels":
    "(() => { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return { parts: [{ is: 'call', input: a }] }; })()",
  "a getter that throws": "{ get parts() { throw new Error('no'); } }",
  "a big integer": "{ parts: [{ is: 'call', input: 5n }] }",
  "a proxy": "new Proxy({}, { ownKeys() { throw new Error('no'); } })",
};

const NAMES = Object.keys(NONSENSE);

const MODULE = `
  export default {
    id: "hostile",
    label: "Hostile",
    files: {
      ending: ".log",
      session(first) {
        if (first.session === "unrecognised") throw new Error("no session");
        return typeof first.session === "string" ? { id: first.session } : undefined;
      },
    },
    instantMember: "at",
    message: ({ does }) => (does === "good" ? { role: "user", content: "Good." } : [does]),
    record({ does }) {
      switch (does) {
        ${NAMES.map((name, i) => `case ${i}: return ${NONSENSE[name]};`).join("\n")}
      }
      return { parts: [{ is: "prompt", text: String(does) }] };
    },
  };
`;

async function hostileHistories(): Promise<{ readonly folder: string; readonly module: URL }> {
  const folder = await temporaryFolder();
  const good = (session: string) =>
    `${JSON.stringify({ session, does: "good", at: "2026-05-01T09:00:00Z" })}\n`;
  await writeFile(path.join(folder, "good.log"), good("good"));
  await writeFile(path.join(folder, "bad.log"), good("unrecognised"));
  for (const i of NAMES.keys())
    await writeFile(
      path.join(folder, `${i}.log`),
      `${good(`s${i}`)}${JSON.stringify({ does: i, at: "2026-05-01T09:00:01Z" })}\n${good(`s${i}`)}`,
    );
  const module = path.join(await temporaryFolder(), "hostile.mjs");
  await writeFile(module, MODULE);
  return { folder, module: pathToFileURL(module) };
}

describe.each(["on the event loop", "in a thread"])("A format that returns nonsense %s", (where) => {
  it("costs only its own records", async () => {
    const { folder, module } = await hostileHistories();
    const definition = ((await import(module.href)) as { default: FormatDefinition }).default;
    const format = where === "in a thread" ? module : definition;
    const rejections: unknown[] = [];
    const onRejection = (error: unknown) => rejections.push(error);
    process.on("unhandledRejection", onRejection);
    const source = await createHistoriesDataSource({ folder, formats: [format] });
    try {
      const items = await source.listSessions();
      expect(items.map(({ sessionId }) => sessionId).sort()).toEqual(
        ["good", ...NAMES.map((_, i) => `s${i}`)].sort(),
      );
      const { warnings } = await source.findSessions!({ limit: 100 });
      expect(warnings).toContainEqual({
        file: "bad.log",
        line: 1,
        reason: expect.stringContaining("no session"),
      });
      const summarize = new SummarizeSession(source);
      for (const item of items) {
        const { tenantId, sessionId } = item;
        const name = NAMES[Number(sessionId.slice(1))] ?? sessionId;
        const trace = await source.loadTraceEnvelopes(tenantId, sessionId);
        const { warnings } = await (await source.openSession!(tenantId, sessionId))!.trace();
        const messages = await source.loadMessages(tenantId, sessionId);
        const summary = await summarize.execute({ tenantId, sessionId });
        const lines = new Set(trace.map(({ event }) => (event.stored as { readonly line: number }).line));
        for (const { line } of warnings) lines.add(line);
        expect([name, [...lines].sort()]).toEqual([name, sessionId === "good" ? [1] : [1, 2, 3]]);
        expect([name, item.lastActive.slice(0, 4), item.tokens >= 0]).toEqual([name, "2026", true]);
        expect([name, new Set(trace.map(({ id }) => id)).size]).toEqual([name, trace.length]);
        expect([name, messages[0]]).toEqual([name, { role: "user", content: "Good." }]);
        expect(summary).toMatchObject({ value: { counts: { turns: item.turns } } });
        const figures = JSON.stringify(summary);
        expect([name, /"(usd|ms|\w+Tokens)":(-|null)/.exec(figures)?.[0]]).toEqual([name, undefined]);
      }
    } finally {
      await source.close?.();
      process.off("unhandledRejection", onRejection);
    }
    expect(rejections).toEqual([]);
  });
});

describe("Options of createHistoriesDataSource", () => {
  const VALID = {
    id: "quill",
    label: "Quill",
    files: {
      ending: ".log",
      session: ({ session }: Readonly<Record<string, unknown>>) => (session ? {} : undefined),
    },
    instantMember: "at",
    record: () => ({ parts: [] }),
  } satisfies FormatDefinition;

  it.each([
    ["an unknown option", { folderr: "." }, "Unknown option 'folderr'. Did you mean 'folder'?"],
    [
      "an unknown option of a format",
      { formats: [{ ...VALID, lable: "x" }] },
      "`format`: Unknown option 'lable'",
    ],
    [
      "an id of a built-in format",
      { formats: [{ ...VALID, id: "codex" }] },
      'The format "codex" is built in.',
    ],
    [
      "an id of another kind of source",
      { formats: [{ ...VALID, id: "otlp" }] },
      'The format "otlp" is built in.',
    ],
    [
      "an id that is no name",
      { formats: [{ ...VALID, id: "__proto__" }] },
      "`format.id` must be lower-case letters",
    ],
    ["one id twice", { formats: [VALID, VALID] }, 'Two formats have the id "quill".'],
    ["no format at all", { formats: [null] }, "`format` must be an object, but it is null."],
    [
      "a home outside of the home folder",
      { formats: [{ ...VALID, home: "../x" }] },
      "`format.home` must be a path below",
    ],
    [
      "a depth without a bound",
      { formats: [{ ...VALID, files: { ...VALID.files, depth: 99 } }] },
      "format.files.depth is 99",
    ],
    [
      "a format that does not exist",
      { formats: [VALID], format: "quil" },
      'There is no format "quil". There are quill, claude-code',
    ],
    [
      "a folder that no format recognises",
      { formats: [VALID] },
      "No format recognises the content of `folder`.",
    ],
  ])("are refused for %s", async (_, options, message) => {
    const folder = await temporaryFolder();
    const all = { folder, ...options } as Parameters<typeof createHistoriesDataSource>[0];
    await expect(createHistoriesDataSource(all)).rejects.toThrow(message);
  });

  it("open one file, and select a format by its content", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "a.log");
    await writeFile(file, '{"session":"x","at":"2026-05-01T09:00:00Z"}\n');
    for (const place of [folder, file]) {
      const source = await createHistoriesDataSource({ folder: place, formats: [VALID], threads: false });
      expect((await source.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["a.log"]);
      await source.close?.();
    }
  });
});

it("a format that does not return stops no other source of the same pool", async () => {
  const { folder } = await hostileHistories();
  const module = path.join(await temporaryFolder(), "endless.mjs");
  await writeFile(
    module,
    `export default {
      id: "endless", label: "Endless", instantMember: "at",
      files: { ending: ".log", session: ({ session }) => ({ id: session }) },
      record() { for (;;); },
    };`,
  );
  const pool = new ThreadPool(1);
  const formats = [pathToFileURL(module)];
  const endless = await createHistoriesDataSource({ folder, formats, pool });
  const waiting = endless.listSessions().then(
    () => "listed",
    () => "failed",
  );
  const other = await openHistories("droid", inventedFolder("droid"), { pool });
  expect((await other.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["count"]);
  await endless.close?.();
  expect(await waiting).toBe("failed");
  await pool.close();
});
