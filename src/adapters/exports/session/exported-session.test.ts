import { describe, expect, it } from "vitest";
import { keepComplete } from "./complete-events.js";
import { type ExportedSession, sessionsIn } from "./exported-session.js";

const HEAD = { archive: { format: "agent-inspector", version: 1, part: null, redaction: null } };
const session = (sessionId: string) => ({ session: { tenantId: "t", sessionId }, revision: null });
const envelope = (members: object) => ({ envelope: { traceId: "a", event: { type: "note" }, ...members } });
const at = (second: number) => new Date(second * 1_000).toISOString();

/** Lines in batches of two, and whether whoever read them has let go of them. */
function archive(records: readonly object[]) {
  const lines = records.map((record) => JSON.stringify(record));
  const state = { isClosed: false };
  async function* batches() {
    try {
      for (let i = 0; i < lines.length; i += 2) yield lines.slice(i, i + 2);
    } finally {
      state.isClosed = true;
    }
  }
  return { batches: batches(), state };
}

async function read<One>(
  records: readonly object[],
  look: (session: ExportedSession<unknown>) => Promise<One>,
): Promise<One[]> {
  const items: One[] = [];
  for await (const one of sessionsIn(archive(records).batches, () => keepComplete))
    items.push(await look(one));
  return items;
}

const RECORDS = [
  HEAD,
  session("s1"),
  envelope({ id: "e1", sequence: 0, timestamp: at(1) }),
  { warning: { file: "f", line: 1, reason: "r" }, of: "trace" },
  { event: { type: "run_started", occurredAt: at(2) } },
  { outline: { calls: [], removals: [] } },
  { message: { role: "user", content: "one" } },
  { message: { role: "user", content: "two" }, agent: "sub" },
  session("s2"),
  envelope({ id: "e2", sequence: 0, timestamp: at(1) }),
  { message: { role: "user", content: "three" } },
  { end: { sessions: 2, records: 9 } },
];

describe("The sessions of an archive", () => {
  it("come one after the other, each with its trace, and then its messages", async () => {
    const items = await read(RECORDS, async ({ listed, trace, messages }) => {
      const texts: unknown[] = [];
      for await (const one of messages)
        texts.push([one.agentId, "message" in one ? one.message.content : "outline"]);
      return [listed.sessionId, trace.facts.map(({ source }) => source), texts];
    });
    expect(items).toEqual([
      [
        "s1",
        ["runtime", "orchestration"],
        [
          ["", "outline"],
          ["", "one"],
          ["sub", "two"],
        ],
      ],
      ["s2", ["runtime"], [["", "three"]]],
    ]);
  });

  it("are all there where nobody asks for messages", async () => {
    expect(await read(RECORDS, async ({ listed }) => listed.sessionId)).toEqual(["s1", "s2"]);
  });

  it("let go of the lines when no more is asked for", async () => {
    const { batches, state } = archive(RECORDS);
    for await (const _ of sessionsIn(batches, () => keepComplete)) break;
    expect(state.isClosed).toBe(true);
  });
});

it("A trace is merged: an envelope without an id or an instant has those of its place", async () => {
  const records = [
    HEAD,
    session("s1"),
    envelope({ id: "late", sequence: 2, timestamp: at(9) }),
    envelope({ sequence: 1 }),
    envelope({ id: "early", sequence: 0, timestamp: at(5) }),
    { end: { sessions: 1, records: 4 } },
  ];
  const [facts] = await read(records, async ({ trace }) => trace.facts);
  expect(facts!.map(({ id, index, at }) => [id, index, at])).toEqual([
    ["early", 0, 5_000],
    ["#1", 1, 5_000],
    ["late", 2, 9_000],
  ]);
});
