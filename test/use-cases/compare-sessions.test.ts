import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { SessionNotFoundError } from "../../src/application/errors.js";
import { CompareSessions } from "../../src/application/questions/compare-sessions.js";
import type { SessionComparison } from "../../src/domain/compare/session-comparison.js";
import type { Message } from "../../src/domain/conversation/message.js";

function run({
  prompt = "Mend the cart",
  path = "src/cart.ts",
  result = "export {}",
  end = "Done.",
} = {}): Message[] {
  return [
    { role: "user", content: prompt },
    {
      role: "assistant",
      id: "m1",
      content: [
        { type: "text", text: "I look." },
        { type: "tool_use", id: `call-${path}`, name: "Read", input: { path, limit: 9 } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `call-${path}`, content: result }] },
    { role: "assistant", id: "m2", content: [{ type: "text", text: end }] },
  ];
}

const RUN_AS_CHAT: readonly Message[] = [
  { role: "user", content: "Mend the cart" },
  {
    role: "assistant",
    content: "I look.",
    tool_calls: [
      {
        id: "x1",
        type: "function",
        function: { name: "Read", arguments: '{"limit": 9, "path": "src/cart.ts"}' },
      },
    ],
  },
  { role: "tool", tool_call_id: "x1", content: "export {}" },
  { role: "assistant", content: "Done." },
];

const SESSIONS = [
  { tenantId: "default", sessionId: "s0" },
  { tenantId: "default", sessionId: "s1" },
] as const;

function sourceOf(...conversations: readonly (readonly Message[])[]) {
  return createInMemoryInspectorDataSource(
    conversations.map((messages, i) => ({
      ...SESSIONS[i]!,
      userId: "",
      createdAt: Date.UTC(2026, 0, 1),
      messages,
    })),
  );
}

async function compared(a: readonly Message[], b: readonly Message[]): Promise<SessionComparison> {
  return new CompareSessions(sourceOf(a, b)).execute({ sessions: SESSIONS });
}

describe("comparing two sessions", () => {
  it("finds no difference in one and the same", async () => {
    const { difference, conversation } = await compared(run(), run());
    expect(difference).toBeNull();
    expect(conversation).toEqual({ parts: [5, 5], shared: 5, changes: [] });
  });

  it("finds no difference across vendors' shapes", async () => {
    const { difference } = await compared(run(), RUN_AS_CHAT);
    expect(difference).toBeNull();
  });

  it("finds a message that says something else", async () => {
    const { difference, conversation } = await compared(run({ end: "Done." }), run({ end: "I could not." }));
    expect(difference).toMatchObject({
      kind: "message",
      at: 4,
      sides: [
        { messageIndex: 3, origin: "assistant", part: "text", text: "Done." },
        { messageIndex: 3, text: "I could not." },
      ],
    });
    expect(conversation).toMatchObject({
      shared: 4,
      changes: [
        [
          [4, 5],
          [4, 5],
        ],
      ],
    });
  });

  it("finds an argument, whatever the order of its members", async () => {
    const { difference } = await compared(run(), run({ path: "src/total.ts" }));
    expect(difference).toMatchObject({
      kind: "argument",
      at: 2,
      sides: [
        { toolName: "Read", text: '{"limit":9,"path":"src/cart.ts"}' },
        { toolName: "Read", text: '{"limit":9,"path":"src/total.ts"}' },
      ],
    });
  });

  it("finds a result, and shows where two long ones part", async () => {
    const long = "x".repeat(10_000);
    const { difference } = await compared(
      run({ result: `${long}cart` }),
      run({ result: `${long}total${long}` }),
    );
    const [a, b] = difference!.sides;
    expect(difference).toMatchObject({ kind: "result", at: 3 });
    expect([a!.cutBefore, a!.cutBehind, a!.text]).toEqual([9_500, 0, `${"x".repeat(500)}cart`]);
    expect([b!.cutBefore, b!.text.slice(0, 505), b!.text.length]).toEqual([
      9_500,
      `${"x".repeat(500)}total`,
      4_000,
    ]);
    expect(b!.cutBefore + b!.text.length + b!.cutBehind).toBe(20_005);
  });

  it("tells another order from other words", async () => {
    const [asked, ...rest] = run();
    const other = { role: "user", content: "Be quick" };
    const { difference } = await compared([asked!, other, ...rest], [other, asked!, ...rest]);
    expect(difference).toMatchObject({ kind: "order", at: 0 });
  });

  it("finds where one goes on", async () => {
    const { difference } = await compared(run(), [...run(), { role: "user", content: "And now?" }]);
    expect(difference).toMatchObject({ kind: "end", at: 5, sides: [null, { text: "And now?" }] });
  });

  it("keeps what it found until one of them goes on, to each who may see both", async () => {
    const source = sourceOf(run(), run());
    const useCase = new CompareSessions(source);
    const first = await useCase.execute({ sessions: SESSIONS });
    expect((await useCase.execute({ sessions: SESSIONS })).sessions).toBe(first.sessions);
    const [one, other] = SESSIONS;
    expect((await useCase.execute({ sessions: [other, one] })).sessions[0].sessionId).toBe("s1");
    await expect(useCase.execute({ sessions: SESSIONS, tenants: ["acme"] })).rejects.toThrow(
      SessionNotFoundError,
    );
    await source.sessionStore.appendMessages(other, [{ role: "user", content: "And now?" }]);
    expect((await useCase.execute({ sessions: SESSIONS })).difference).toMatchObject({ kind: "end" });
  });

  it("refuses a session that is not there", async () => {
    const source = createInMemoryInspectorDataSource([]);
    const key = { tenantId: "default", sessionId: "nobody" };
    const useCase = new CompareSessions(source);
    await expect(useCase.execute({ sessions: [key, key] })).rejects.toThrow(SessionNotFoundError);
  });
});
