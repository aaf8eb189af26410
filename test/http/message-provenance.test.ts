import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { withAgentMessages } from "../../ui/test/fixtures/with-agent-messages.js";
import { inspect } from "../support/inspector.js";
import { schemaNamed } from "../support/openapi.js";
import { envelope, orchestrationEvent } from "../support/sample.js";
import { SOURCES } from "../support/sources.js";

const LONG = "x".repeat(5_000);

const used = (id: string, message: string, input: object) => ({
  role: "assistant",
  id: message,
  content: [{ type: "tool_use", id, name: "Read", input }],
});
const given = (id: string, content: string) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: id, content }],
});

const MESSAGES = [
  { role: "system", content: "be brief" },
  { role: "user", content: "mend it" },
  used("t1", "m1", { file_path: "a.ts" }),
  given("t1", LONG),
  used("t2", "m2", { file_path: "a.ts" }),
  given("t2", `${LONG}!`),
  { role: "user", content: "<summary>It is mended.</summary>" },
  used("t3", "m3", { file_path: "a.ts", offset: 7 }),
  given("t3", "x"),
  { role: "assistant", id: "m4", content: "Done." },
];

const llm = (at: number, messageId: string, members: object = {}) => [
  envelope(at, { event: { type: "llm.start", callId: messageId, ...members } }),
  envelope(at + 1, { event: { type: "llm.end", callId: messageId, messageId } }),
];

const SESSION = {
  sessionId: "s1",
  tenantId: "acme",
  messages: MESSAGES,
  envelopes: [
    ...llm(0, "m1"),
    ...llm(2, "m2"),
    ...llm(4, "m3"),
    ...llm(6, "m4"),
    envelope(8, { event: { type: "acme.note" } }),
    ...llm(9, "sub1", { agentId: "a1" }),
  ],
  orchestrationEvents: [
    orchestrationEvent(0, { type: "agent_spawned", agent: { id: "a1", role: "helper" } }),
  ],
};

const seeing = (index: number) => ({
  index,
  id: `t1-${2 * index}`,
  timestamp: SESSION.envelopes[2 * index]!.timestamp,
});

const PATH = "/sessions/s1/provenance?tenantId=acme";

describe.each(SOURCES)("Where a message of a context came from, of a source in %s", (_, sourceOf) => {
  const ask = async (query: string) => {
    const answer = await inspect(await sourceOf([SESSION])).ask(`${PATH}&${query}`);
    if (answer.status === 200) {
      const validate = schemaNamed("MessageProvenance");
      expect([validate(answer.body), validate.errors]).toEqual([true, null]);
    }
    return answer;
  };

  it("is the tool and the file, from the first call that saw it to the compaction that dropped it", async () => {
    for (const call of ["t1-2", "t1-3"]) {
      const { status, body } = await ask(`call=${call}&message=3`);
      expect(status).toBe(200);
      expect(body).toEqual({
        message: { index: 3, role: "user", origin: "tool" },
        source: { by: "tool", uses: [{ toolCallId: "t1", name: "Read", paths: ["a.ts"], text: "" }] },
        firstSeen: seeing(1),
        rewrittenAt: [],
        dropped: { ...seeing(2), byCompaction: true, removal: { cause: "compaction" } },
        repetitions: [
          { toolCallId: "t2", name: "Read", paths: ["a.ts"], text: "", same: "input" },
          { toolCallId: "t3", name: "Read", paths: ["a.ts"], text: "", same: "file" },
        ],
        moreRepetitions: 0,
      });
    }
  });

  it("is asked for by any step behind the call", async () => {
    const { body } = await ask("call=t1-8&message=6");
    expect(body).toMatchObject({ source: { by: "compaction" }, firstSeen: seeing(2) });
    expect(body).not.toHaveProperty("dropped");
  });

  it("is refused for a message that the call did not see, with what to do", async () => {
    for (const message of [3, 9, 10, 999_999_999]) {
      const { status, body } = await ask(`call=t1-4&message=${message}`);
      expect([status, body.detail]).toEqual([
        400,
        "message names no message that the model call saw: its context lists them.",
      ]);
    }
    expect((await ask("call=t1-9&message=0")).status).toBe(400);
  });

  it("is refused for what is no call and no place", async () => {
    for (const query of [
      "message=0",
      "call=&message=0",
      "call=t1-0",
      "call=nowhere&message=0",
      "call=t1-0&message=-1",
      "call=t1-0&message=1e3",
      "call=t1-0&message=1&message=1",
      "call=t1-0&message=0&item=x",
      "call=t1-0&message=0&item=0",
    ]) {
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
    }
  });
});

describe("Where a message of a context came from", () => {
  const askOf = async (session: object, query: string) => {
    const source = createInMemoryInspectorDataSource([{ ...SESSION, ...session } as never]);
    const { status, body } = await inspect(source).ask(`${PATH}&${query}`);
    return { status, body };
  };

  it("is followed over calls that record what they were given, each anew", async () => {
    const [system, user] = [
      { role: "system", content: "be nice" },
      { role: "user", content: "hello" },
    ];
    const read = {
      role: "assistant",
      content: [{ type: "tool_use", id: "t9", name: "Read", input: { path: LONG } }],
    };
    const long = given("t9", LONG);
    const contexts = [
      [system, user],
      [system, user, read, long],
      [{ role: "system", content: "be brief" }, user, read, given("t9", "(cut)")],
      [system, user],
    ];
    const envelopes = contexts.flatMap((messages, i) => llm(2 * i, `g${i}`, { messages }));
    const { body } = await askOf({ messages: [], envelopes }, "call=t1-4&message=3");
    expect(body).toMatchObject({
      message: { index: 3, origin: "tool" },
      firstSeen: { index: 1, id: "t1-2" },
      rewrittenAt: [{ index: 2, id: "t1-4" }],
      dropped: { index: 3, id: "t1-6", byCompaction: false },
    });
    const asked = await askOf({ messages: [], envelopes }, "call=t1-0&message=1");
    expect(asked.body).toMatchObject({ source: { by: "person" }, firstSeen: { index: 0 }, rewrittenAt: [] });
  });

  it("is the message that a compaction kept word for word, by its item", async () => {
    const messages = [
      { role: "user", content: "one" },
      { role: "assistant", id: "m1", content: "two" },
      {
        type: "compacted",
        replacement_history: [
          { type: "message", role: "user", content: "one" },
          { type: "message", role: "user", content: "kept" },
        ],
      },
      { role: "assistant", id: "m2", content: "three" },
    ];
    const context = await inspect(createInMemoryInspectorDataSource([{ ...SESSION, messages } as never])).ask(
      "/sessions/s1/context?tenantId=acme&call=t1-2",
    );
    expect(context.body.messages).toMatchObject([
      { index: 2, item: 0, text: "one" },
      { index: 2, item: 1 },
    ]);
    const { body } = await askOf({ messages }, "call=t1-2&message=2&item=1");
    expect(body).toMatchObject({ message: { index: 2, item: 1 }, firstSeen: { index: 1, id: "t1-2" } });
    expect((await askOf({ messages }, "call=t1-2&message=2&item=2")).status).toBe(400);
  });

  it("is, of a sub-agent's first words, its parent", async () => {
    const source = withAgentMessages(createInMemoryInspectorDataSource([SESSION as never]), {
      a1: [
        { role: "user", content: "look it up" },
        { role: "assistant", id: "sub1", content: "It is 7." },
      ],
    });
    const { body } = await inspect(source).ask(`${PATH}&call=t1-9&message=0`);
    expect(body).toMatchObject({ source: { by: "parent" }, firstSeen: { index: 0, id: "t1-9" } });
  });
});
