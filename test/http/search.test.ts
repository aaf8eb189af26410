import { describe, expect, it } from "vitest";
import { createInspectorRoute } from "../../src/advanced.js";
import { SourceUnavailableError } from "../../src/application/errors.js";
import { handMadeSource } from "../support/hand-made-source.js";
import { type Inspector, inspect, MOUNTS } from "../support/inspector.js";
import { envelope, SAMPLE } from "../support/sample.js";
import { fiveMethods, SOURCES } from "../support/sources.js";

const SESSIONS = [
  ...SAMPLE,
  {
    tenantId: "acme",
    sessionId: "found",
    createdAt: Date.UTC(2026, 5, 1),
    envelopes: [
      envelope(0, {
        event: { type: "tool.start", toolCallId: "c", toolName: "Read", input: { path: "lib/router.ex" } },
      }),
      envelope(1, {
        event: {
          type: "tool.end",
          toolCallId: "c",
          toolName: "Read",
          output: "Router\nrouter",
          path: "router",
        },
      }),
    ],
    messages: [{ role: "user", content: "Where is the router? 日本語" }],
  },
];

type Answer = Record<string, unknown> & { readonly hits: readonly { readonly in: string }[] };

/** With the hits of all answers: their number depends on the speed of the machine. */
async function searchAll({ ask }: Pick<Inspector, "ask">, query: string): Promise<Answer> {
  const hits: Answer["hits"][number][] = [];
  for (let cursor = ""; ; ) {
    const { status, headers, body } = await ask(`/search?${query}${cursor}`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    hits.push(...(body as Answer).hits);
    if (body.nextCursor === null) return { ...body, hits };
    cursor = `&cursor=${body.nextCursor}`;
  }
}

describe.each(SOURCES)("GET /search of %s", (_, create) => {
  it.each(MOUNTS)("answers with hits that say where they are, mounted at %s", async (_, prefix) => {
    const inspector = inspect(await create(SESSIONS), prefix);
    const body = await searchAll(inspector, "q=router");
    const found = { tenantId: "acme", sessionId: "found" };
    const ofTool = (sequence: number) => ({
      ...found,
      sequence,
      toolName: "Read",
      timestamp: envelope(sequence).timestamp,
    });
    expect(body).toEqual({
      hits: [
        {
          ...ofTool(0),
          in: "input",
          type: "tool.start",
          matches: 1,
          snippet: { text: "lib/router.ex", start: 4, end: 10 },
        },
        {
          ...ofTool(1),
          in: "output",
          type: "tool.end",
          matches: 2,
          snippet: { text: "Router router", start: 0, end: 6 },
        },
        {
          ...found,
          in: "text",
          messageIndex: 0,
          role: "user",
          matches: 1,
          snippet: { text: "Where is the router? 日本語", start: 13, end: 19 },
        },
      ],
      searched: expect.objectContaining({ sessions: SESSIONS.length }),
      total: expect.objectContaining({ sessions: SESSIONS.length }),
      nextCursor: null,
    });
    expect(inspector.failures).toEqual([]);
  });

  it("narrows the search by kind, tenant and session", async () => {
    const inspector = inspect(await create(SESSIONS));
    const count = async (query: string) => (await searchAll(inspector, `q=router${query}`)).hits.length;
    expect(await count("&in=input")).toBe(1);
    expect(await count("&in=output,text")).toBe(2);
    expect(await count("&in=other")).toBe(1);
    expect(await count("&tenantId=acme")).toBe(3);
    expect(await count("&tenantId=beta")).toBe(0);
    expect(await count("&tenantId=acme&sessionId=found")).toBe(3);
    expect(await count("&tenantId=acme&sessionId=s1")).toBe(0);
  });

  it("goes on with the cursor, and ends with null", async () => {
    const { hits } = await searchAll(inspect(await create(SESSIONS)), "q=router&limit=1");
    expect(hits.map((hit) => hit.in)).toEqual(["input", "output", "text"]);
  });

  it("answers HEAD without a body", async () => {
    const { status, text } = await inspect(await create(SESSIONS)).ask("/search?q=router", {
      method: "HEAD",
    });
    expect([status, text]).toEqual([200, ""]);
  });
});

describe("GET /search", () => {
  it.each([
    ["", "q must be what to look for, with 1 to 1000 characters."],
    ["q=", "q must be what to look for, with 1 to 1000 characters."],
    ["q=re:", "q must be what to look for, with 1 to 1000 characters."],
    [`q=${"x".repeat(1_001)}`, "q must be what to look for, with 1 to 1000 characters."],
    ["q=a&q=b", "q must occur once."],
    ["q=re:(a", "q is no regular expression of RE2's syntax: error parsing regexp: missing closing ): `(a`."],
    ["q=a&in=", "in must be some of text, thinking, input, output, error, other, with commas between them."],
    [
      "q=a&in=text,tool",
      "in must be some of text, thinking, input, output, error, other, with commas between them.",
    ],
    ["q=a&limit=0", "limit must be an integer from 1 to 1000."],
    ["q=a&tenantId=", "tenantId must not be empty."],
    ["q=a&sessionId=a%2Fb", "sessionId must not contain a path separator."],
    ["q=a&cursor=nobody", "cursor was not issued for this list. Take it from nextCursor, or leave it out."],
  ])("refuses %s", async (query, detail) => {
    const inspector = inspect(handMadeSource({}));
    const { status, body } = await inspector.ask(`/search?${query}`);
    expect([status, body.detail]).toEqual([400, detail]);
  });

  it("looks for a named session in the tenant `default`, and is 404 where there is none", async () => {
    const source = handMadeSource({ openSession: async () => undefined });
    const { status, body } = await inspect(source).ask("/search?q=a&sessionId=s1");
    expect(status).toBe(404);
    expect(body.detail).toContain('There is no session "s1" in tenant "default".');
  });

  it("is 503 and 500 where the source fails, and reports it", async () => {
    const down = new SourceUnavailableError("The database cannot be reached.");
    for (const [error, status] of [
      [down, 503],
      [new Error("secret"), 500],
    ] as const) {
      const inspector = inspect(handMadeSource({ listSessions: () => Promise.reject(error) }));
      const answer = await inspector.ask("/search?q=a");
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain("secret");
      expect(inspector.failures).toEqual([error]);
    }
  });

  it.each(SOURCES)(
    "goes on past a session of %s that cannot be read, and tells the host alone why",
    async (_, create) => {
      const source = fiveMethods(await create(SESSIONS));
      const inspector = inspect({
        ...source,
        loadMessages: async (tenantId, sessionId, options) => {
          if (sessionId !== "found") throw new Error("secret");
          return source.loadMessages(tenantId, sessionId, options);
        },
      });
      const answer = await inspector.ask("/search?q=router");
      const { hits, notes, nextCursor } = answer.body;
      expect([answer.status, hits, nextCursor]).toEqual([200, expect.objectContaining({ length: 3 }), null]);
      expect(notes).toContain('Session "s1" of tenant "acme" could not be read, and is skipped.');
      expect(answer.text).not.toContain("secret");
      expect(inspector.failures).toContainEqual(new Error("secret"));
    },
  );

  it("shows the sessions of the scope only", async () => {
    for (const [, create] of SOURCES) {
      const source = await create(SESSIONS);
      const scoped = (tenants: readonly string[]) => {
        const app = createInspectorRoute(source, { access: () => ({ tenants }) });
        const ask = async (path: string) => {
          const response = await app.request(path);
          const text = await response.text();
          const { status, headers } = response;
          return { status, headers, text, body: JSON.parse(text) as Record<string, unknown> };
        };
        return { ask };
      };
      expect(await searchAll(scoped(["beta"]), "q=router")).toMatchObject({ hits: [], nextCursor: null });
      expect((await scoped(["beta"]).ask("/search?q=router&tenantId=acme&sessionId=found")).status).toBe(404);
      expect((await searchAll(scoped(["acme"]), "q=router")).hits).toHaveLength(3);
    }
  });
});
