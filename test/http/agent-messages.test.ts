import { describe, expect, it } from "vitest";
import { streamOf } from "../../src/advanced.js";
import { handMadeSnapshot, handMadeSource } from "../support/hand-made-source.js";
import { inspect, MOUNTS } from "../support/inspector.js";
import { SAMPLE } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const OWN = ["own 1", "own 2", "own 3"].map((content) => ({ role: "user", content }));
const OF_AGENTS: Readonly<Record<string, readonly object[]>> = {
  "a/1": ["asked", "thought", "answered"].map((content) => ({ role: "user", content })),
  a2: [{ role: "user", content: "other" }],
};

const source = handMadeSource({
  openSession: async () =>
    handMadeSnapshot({
      revision: "r1",
      messages: async (agentId) => streamOf(agentId === undefined ? OWN : (OF_AGENTS[agentId] ?? [])),
    }),
});

const MESSAGES = "/sessions/s1/messages?tenantId=acme";

describe.each(MOUNTS)("The messages of an agent, mounted at %s", (_, prefix) => {
  const inspector = inspect(source, prefix);

  it("are those of the agent that is named, and without one the session's own", async () => {
    expect((await inspector.ask(MESSAGES)).body.messages).toEqual(OWN);
    expect((await inspector.ask(`${MESSAGES}&agentId=a%2F1`)).body.messages).toEqual(OF_AGENTS["a/1"]);
    expect((await inspector.ask(`${MESSAGES}&agentId=a2`)).body.messages).toEqual(OF_AGENTS.a2);
    expect((await inspector.ask(`${MESSAGES}&agentId=nobody`)).body).toEqual({ messages: [] });
  });

  it("come in pages, and in what was added, of their own", async () => {
    const first = await inspector.ask(`${MESSAGES}&agentId=a%2F1&limit=2`);
    expect(first.body.messages).toEqual(OF_AGENTS["a/1"]!.slice(0, 2));
    const { nextCursor } = first.body;
    const rest = await inspector.ask(`${MESSAGES}&agentId=a%2F1&limit=2&cursor=${nextCursor}`);
    expect(rest.body).toEqual({ messages: OF_AGENTS["a/1"]!.slice(2), nextCursor: null });
    const { syncToken } = (await inspector.ask(`${MESSAGES}&agentId=a%2F1&since=`)).body;
    const later = await inspector.ask(`${MESSAGES}&agentId=a%2F1&since=${syncToken}`);
    expect(later.body).toEqual({ messages: [], from: 3, syncToken });
    for (const list of [MESSAGES, `${MESSAGES}&agentId=a2`]) {
      expect((await inspector.ask(`${list}&cursor=${nextCursor}`)).status).toBe(400);
      expect((await inspector.ask(`${list}&since=${syncToken}`)).status).toBe(400);
    }
  });

  it("have the entity tag of their session", async () => {
    const headers = { "If-None-Match": 'W/"r1"' };
    expect((await inspector.ask(`${MESSAGES}&agentId=a2`, { headers })).status).toBe(304);
  });

  it.each([
    ["agentId=", "agentId must not be empty."],
    ["agentId=a2&agentId=a1", "agentId must occur once."],
  ])("are refused for %s", async (query, detail) => {
    const { status, body } = await inspector.ask(`${MESSAGES}&${query}`);
    expect([status, body.detail]).toEqual([400, detail]);
  });
});

describe.each(SOURCES)("The messages of an agent, of a source in %s", (_, sourceOf) => {
  it("are none where none are kept, and the session is one that is known", async () => {
    const inspector = inspect(await sourceOf(SAMPLE));
    const { tenantId, sessionId } = SAMPLE[0]!;
    const path = `/sessions/${sessionId}/messages?tenantId=${tenantId}&agentId=a1`;
    const { status, body } = await inspector.ask(path);
    expect([status, body.messages]).toEqual([200, []]);
  });
});
