import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { mcpServer } from "../../src/adapters/mcp/mcp-server.js";
import {
  createInMemoryInspectorDataSource,
  createInspectorContainer,
  InProcessPool,
} from "../../src/advanced.js";
import { useCasesOf } from "../../src/composition/container.js";
import { visibleLines } from "../../src/domain/text/visible-text.js";
import { writeTo } from "../support/neighbours/recorded-sources.js";
import { sized } from "../support/soak.js";
import { MARK, NAME_MARK, PLANTED, plantedSession, SIGNATURE } from "./support/planted.js";

const SESSIONS = sized(9, PLANTED.length);

interface Asked {
  readonly tool: string;
  readonly given: object;
  readonly text: string;
  readonly isError: boolean;
}

type Ask = (tool: string, given: object) => Promise<Asked>;

async function agentOf(metadataOnly: boolean): Promise<Ask> {
  const source = createInMemoryInspectorDataSource([]);
  for (let i = 0; i < SESSIONS; i++) {
    const session = plantedSession(Math.floor((i * PLANTED.length) / SESSIONS));
    expect(await writeTo(source.sessionStore, session), session.name).toEqual([]);
  }
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  const failures: unknown[] = [];
  const server = mcpServer(useCasesOf(container), {
    version: "1",
    description: "planted",
    metadataOnly,
    onError: (error) => void failures.push(error),
  });
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return async (tool, given) => {
    const result = await client.callTool({ name: tool, arguments: { ...given } });
    const content = result.content as readonly { readonly text: string }[];
    expect(failures, tool).toEqual([]);
    return {
      tool,
      given,
      text: content.map(({ text }) => text).join("\n"),
      isError: result.isError === true,
    };
  };
}

async function sessionsOf(ask: Ask): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const { text } = await ask("list_sessions", { limit: 50, ...(cursor === "" ? {} : { cursor }) });
    for (const [handle] of text.matchAll(/^s-[0-9a-f]{10}/gm)) found.add(handle);
    cursor = /\bnext=(c-[0-9a-f]{10})$/m.exec(text)?.[1];
  }
  return [...found];
}

const ABOUTS = ["overview", "cost", "failures", "context", "repeats", "time"];
const BY = ["day", "project", "tenant", "model", "user", "source", "tool"];

function questions(
  session: string | undefined,
  other: string,
  texts: object,
): readonly (readonly [string, object])[] {
  if (session === undefined) {
    return [
      ["list_sessions", { limit: 50, ...texts }],
      ["list_sessions", { limit: 50, sort: "tokens", ...texts }],
      ["search", { query: "zq", limit: 50, in: ["text", "error", "other"], ...texts }],
      ...BY.map((by) => ["usage", { by }] as const),
    ];
  }
  return [
    [
      "search",
      {
        query: "zq",
        session,
        limit: 50,
        in: ["text", "thinking", "input", "output", "error", "other"],
        ...texts,
      },
    ],
    ...ABOUTS.map((about) => ["session_summary", { session, about, ...texts }] as const),
    ["compare", { session, other, ...texts }],
    ["trace_slice", { session, limit: 50, ...texts }],
    ["messages", { session, ...texts }],
    ["context_at_call", { session, at: "4", ...texts }],
    ["context_at_call", { session, at: "4", message: 0, ...texts }],
  ];
}

const OPENING = /^<untrusted-([0-9a-f]{16}) [^\n]*>$/;

/** @returns the texts outside and inside of the fences */
function parted(text: string): { readonly outside: string; readonly inside: readonly string[] } {
  const lines = text.split("\n");
  const nonce = lines.map((line) => OPENING.exec(line)?.[1]).find((one) => one !== undefined);
  const outside: string[] = [];
  const inside: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (nonce !== undefined && line.startsWith(`<untrusted-${nonce} `) && !isInside) isInside = true;
    else if (isInside && line === `</untrusted-${nonce}>`) isInside = false;
    else (isInside ? inside : outside).push(line);
  }
  expect([text, isInside]).toEqual([text, false]);
  return { outside: outside.join("\n"), inside };
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

function expectFenced({ tool, given, text, isError }: Asked): void {
  const { outside, inside } = parted(text);
  const told = JSON.stringify([tool, given]);
  expect([told, isError, MARK.exec(outside)]).toEqual([told, false, null]);
  expect([told, text.length <= 25_000]).toEqual([told, true]);
  expect([told, visibleLines(text) === text && !/[\u{e0100}-\u{e01ef}]|\p{Cs}/u.test(text)]).toEqual([
    told,
    true,
  ]);
  // Outside, nothing looks like a fence; inside, texts of a history are in quotes.
  expect([told, /untrusted-/i.test(outside)]).toEqual([told, false]);
  expect([told, inside.filter((line) => /<\/?untrusted-/i.test(line))]).toEqual([told, []]);
  expect([told, inside.filter((line) => MARK.test(line.replace(QUOTED, "")))]).toEqual([told, []]);
}

describe("Histories in which more than a hundred texts were planted, in every place", () => {
  let ask: Ask;
  let sessions: readonly string[];

  beforeAll(async () => {
    ask = await agentOf(false);
    sessions = await sessionsOf(ask);
  });

  it("stand in fences, in quotes, with nothing hidden, whatever is asked", { timeout: 60_000 }, async () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(100);
    expect(sessions).toHaveLength(SESSIONS);
    const found = new Set<string>();
    for (const session of [undefined, ...sessions]) {
      for (const [tool, given] of questions(session, sessions[0]!, { texts: true })) {
        const asked = await ask(tool, given);
        expectFenced(asked);
        expect([tool, given, asked.text.includes(SIGNATURE)]).toEqual([tool, given, false]);
        for (const [mark] of asked.text.matchAll(/zq\d{3}[a-z]+/gi)) found.add(mark);
      }
    }
    // Enough places for a significant test.
    expect(found.size).toBeGreaterThan(30 * SESSIONS);
  });

  it("give no free text where none is asked for: names alone", { timeout: 60_000 }, async () => {
    for (const session of [undefined, ...sessions.slice(0, SESSIONS / 3)]) {
      for (const [tool, given] of questions(session, sessions[0]!, {})) {
        const asked = await ask(tool, given);
        expectFenced(asked);
        const free = [...asked.text.matchAll(/zq\d{3}[a-z]+/gi)].filter(([mark]) => !NAME_MARK.test(mark));
        expect([tool, given, free.map(([mark]) => mark)]).toEqual([tool, given, []]);
      }
    }
  });

  it("give a whole record as JSON, each part in a fence of its own", async () => {
    for (const session of sessions) {
      for (const [tool, given] of [
        ["trace_slice", { session, at: "4" }],
        ["messages", { session, from: 1 }],
      ] as const) {
        let whole = "";
        for (let jsonFrom: string | undefined = "0"; jsonFrom !== undefined; ) {
          const { text } = await ask(tool, { ...given, jsonFrom: Number(jsonFrom) });
          const { outside, inside } = parted(text);
          expect([given, MARK.exec(outside), visibleLines(text) === text, text.length <= 25_000]).toEqual([
            given,
            null,
            true,
            true,
          ]);
          whole += inside.join("\n");
          jsonFrom = /\bnextJsonFrom=(\d+)$/m.exec(outside)?.[1];
        }
        expect(JSON.stringify(JSON.parse(whole))).toMatch(/zq\d{3}/);
      }
    }
  });

  it("say that a session has changed, and what is not there any more", async () => {
    const { text } = await ask("trace_slice", { session: `${sessions[0]}@00000000`, limit: 1 });
    expect(text).toMatch(/^The session has changed since the revision of the request\. /);
    const again = await ask("trace_slice", { session: sessions[0]!, limit: 1 });
    expect(again.text).not.toContain("has changed");
  });
});

it("A server that gives metadata alone gives no text of a history, nor any name", {
  timeout: 60_000,
}, async () => {
  const ask = await agentOf(true);
  const sessions = await sessionsOf(ask);
  for (const session of [undefined, ...sessions.slice(0, SESSIONS / 3)]) {
    for (const [tool, given] of questions(session, sessions[0]!, {})) {
      const { text, isError } = await ask(tool, given);
      expect([tool, given, isError, MARK.exec(text), /untrusted-/i.test(text)]).toEqual([
        tool,
        given,
        false,
        null,
        false,
      ]);
    }
  }
  const { text } = await ask("usage", { by: "tool" });
  expect(text).toMatch(/^\[tool \d+\] 1 /m);
  const refused = await ask("trace_slice", { session: sessions[0]!, texts: true });
  expect([refused.isError, refused.text]).toEqual([
    true,
    "texts is not available: this server runs with --metadata-only. Omit it.",
  ]);
});
