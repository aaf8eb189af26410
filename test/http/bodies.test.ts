import { describe, expect, it } from "vitest";
import { at, SAMPLE } from "../support/sample.js";
import { SAMPLE_CASES, sampleInspector } from "../support/sample-inspectors.js";

describe.each(SAMPLE_CASES)("$name, mounted at $mount", (sample) => {
  const { name } = sample;
  const shared = sampleInspector(sample);

  it("lists the sessions of all tenants, newest first, then by tenant, then by session", async () => {
    const { status, body } = await shared().ask("/sessions");
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual(["sessions"]);
    const ids = (body.sessions as { tenantId: string; sessionId: string }[]).map(
      ({ tenantId, sessionId }) => `${tenantId}/${sessionId}`,
    );
    expect(ids).toStrictEqual(["acme/s2", "beta/s1", "acme/s1", "default/s3"]);
  });

  it("gives every field of a session", async () => {
    const { body } = await shared().ask("/sessions?tenantId=acme&q=report");
    expect(body.sessions).toStrictEqual([
      {
        tenantId: "acme",
        sessionId: "s1",
        userId: "ada",
        lastActive: at(103),
        turns: 2,
        tokens: 139,
        status: "idle",
        state: { kind: "stopped" },
        title: "Weekly Report",
        agentId: "analyst",
        createdAt: at(0),
        usage: { inputTokens: 110, outputTokens: 22, cacheReadTokens: 3, cacheWriteTokens: 4 },
      },
    ]);
  });

  it("gives a session without a description all the same", async () => {
    const { body } = await shared().ask("/sessions?tenantId=default");
    expect(body.sessions).toMatchObject([
      { sessionId: "s3", userId: "", lastActive: at(20), turns: 0, tokens: 0, status: "idle" },
    ]);
  });

  it("merges a trace, orchestration after runtime, in sequence order", async () => {
    const { body } = await shared().ask("/sessions/s1/trace?tenantId=acme");
    expect(Object.keys(body)).toStrictEqual(["envelopes"]);
    const envelopes = body.envelopes as { id: string; sequence: number; source: string }[];
    expect(envelopes.map(({ sequence, source, id }) => `${sequence} ${source} ${id}`)).toStrictEqual([
      "0 runtime t1-0",
      "1 runtime t1-1",
      "2 runtime t1-2",
      "3 runtime t1-3",
      "4 orchestration event-1",
      "5 orchestration event-2",
      "6 orchestration event-3",
    ]);
    expect([...envelopes].reverse().sort((a, b) => a.sequence - b.sequence)).toStrictEqual(envelopes);
    expect(envelopes[0]).toStrictEqual(SAMPLE[0]?.envelopes?.[0]);
  });

  it("gives the agents with their role, status and last job", async () => {
    const { body } = await shared().ask("/sessions/s1/orchestration?tenantId=acme");
    expect(body).toStrictEqual({
      agents: [
        {
          agentId: "a1",
          displayName: "researcher",
          role: "researcher",
          status: "closed",
          createdAt: at(101),
          closedAt: at(103),
          events: 3,
          lastJob: {
            jobId: "j1",
            outputText: "Done.",
            tokens: 5,
            outcome: "completed",
            completedAt: at(102),
          },
        },
      ],
    });
  });

  it("gives the messages as they were stored", async () => {
    const { body } = await shared().ask("/sessions/s1/messages?tenantId=acme");
    expect(body).toStrictEqual({ messages: SAMPLE[0]?.messages });
  });

  it("reports that it is alive", async () => {
    const { status, text } = await shared().ask("/health");
    expect([status, text]).toStrictEqual([200, '{"status":"ok"}']);
  });

  it("searches the tenant `default` where none is named", async () => {
    const inspector = shared();
    const { body } = await inspector.ask("/sessions/s3/messages");
    expect(body.messages).toStrictEqual([{ role: "user", content: "hello" }]);
    expect((await inspector.ask("/sessions/s3/messages?tenantId=default")).body).toStrictEqual(body);
  });

  it("keeps sessions of the same id in two tenants apart", async () => {
    const inspector = shared();
    const { body } = await inspector.ask("/sessions/s1/trace?tenantId=beta");
    expect(body).toStrictEqual({ envelopes: [] });
  });

  it("gives empty lists for a session in which nothing happened yet", async () => {
    const inspector = shared();
    expect((await inspector.ask("/sessions/s2/trace?tenantId=acme")).body).toStrictEqual({ envelopes: [] });
    expect((await inspector.ask("/sessions/s2/orchestration?tenantId=acme")).body).toStrictEqual({
      agents: [],
    });
    expect((await inspector.ask("/sessions/s2/messages?tenantId=acme")).body).toStrictEqual({ messages: [] });
  });

  it.each(["trace", "orchestration", "messages"])(
    "answers for the %s of an unknown session",
    async (list) => {
      const { status, body } = await shared().ask(`/sessions/nobody/${list}?tenantId=acme`);
      if (name === "a plain object with five methods") {
        expect([status, Object.values(body)]).toStrictEqual([200, [[]]]);
      } else {
        expect(status).toBe(404);
        expect(body.detail).toMatch(/"nobody".*"acme".*tenantId/);
      }
    },
  );

  it("names the tenant that it searched where none was named", async () => {
    const { status, body } = await shared().ask("/sessions/s1/messages");
    if (name === "a plain object with five methods") expect(body).toStrictEqual({ messages: [] });
    else expect([status, String(body.detail)]).toStrictEqual([404, expect.stringMatching(/"s1".*"default"/)]);
  });
});
