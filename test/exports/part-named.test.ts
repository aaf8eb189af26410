import { describe, expect, it } from "vitest";
import { partNamed } from "../../src/application/export/part-named.js";
import { ENVELOPES, EVENTS, smallSession } from "./support/small-session.js";

async function part(only: string) {
  const chosen = await partNamed(only)(smallSession(), {});
  const agents = [...chosen.agents].map(([agentId, positions]) => [agentId, ...positions]);
  return { events: [...chosen.envelopes], log: [...chosen.events], messages: [...chosen.messages], agents };
}

const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe("a part of a session", () => {
  it("holds of the errors what failed, what asked for it, and what had been changed", async () => {
    expect(await part("errors")).toEqual({
      // Without the first turn and the events after the failure, but with the model call that continued.
      events: [0, ...run(6, 17), 27],
      log: [],
      messages: [2, 3, 4, 5, 6],
      agents: [],
    });
  });

  it("holds of a turn all that lies in it, its sub-agents included", async () => {
    expect(await part("turn:2")).toEqual({
      events: [0, ...run(6, EVENTS.length)],
      log: [0, 1],
      messages: run(2, 10),
      agents: [["sub", 0, 1]],
    });
    expect(await part("turn:1")).toEqual({ events: run(0, 6), log: [], messages: [0, 1], agents: [] });
  });

  it("holds of a sub-agent its conversation, and what asked for it", async () => {
    expect(await part("agent:sub")).toEqual({
      events: [0, 6, ...run(15, 24), 27],
      log: [0, 1],
      messages: [2, 7, 8],
      agents: [["sub", 0, 1]],
    });
  });

  it("holds of a step its model call and all that this call saw", async () => {
    expect(await part("step:e14")).toEqual({
      events: [0, 6, ...run(9, 17), 27],
      log: [],
      messages: run(0, 7),
      agents: [],
    });
  });

  it("holds a step of a sub-agent with what that one saw", async () => {
    const { messages, agents } = await part("step:e20");
    expect(agents).toEqual([["sub", 0, 1]]);
    expect(messages).toEqual([2, 7, 8]);
  });

  it("is found whatever the order in which the envelopes are stored", async () => {
    const chosen = await partNamed("turn:1")(smallSession(ENVELOPES.toReversed()), {});
    expect([...chosen.envelopes]).toEqual(
      run(0, 6)
        .map((at) => ENVELOPES.length - 1 - at)
        .reverse(),
    );
  });

  it.each([
    ["turn:3", "only names a turn that there is not: the session has turn:1 to turn:2, and agent:ID of sub."],
    ["agent:else", /names an agent that there is not.*agent:ID of sub/],
    ["step:nothing", /names no step/],
  ])("says of %s which parts there are", async (only, message) => {
    await expect(part(only)).rejects.toThrow(message);
  });

  it.each(["", "error", "errors:1", "turn:0", "turn:1e3", "turn", "agent:", "all"])(
    "is not named by %j",
    (only) => {
      expect(() => partNamed(only)).toThrow(
        "only is one of errors, turn:N (from 1 on), agent:ID and step:ID.",
      );
    },
  );
});
