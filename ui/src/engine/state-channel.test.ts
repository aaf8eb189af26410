import { expect, it } from "vitest";
import { BASE, envelope, FakeApi, SESSION } from "../../test/support/fake-api.js";
import { engineMethods } from "./engine-methods.js";
import { type PackedState, StateReceiver, StateSender } from "./state-channel.js";
import { type SessionState, traceQuery } from "./trace/trace-protocol.js";

it("what is large in a session's state crosses to the page when it has changed, and is the same there otherwise", async () => {
  const sender = new StateSender();
  const receiver = new StateReceiver();
  const packed: PackedState[] = [];
  const states: SessionState[] = [];
  const unpacked: SessionState[] = [];
  const engine = engineMethods(BASE, (update) => {
    if (update.topic !== "session") return;
    states.push(update.state);
    packed.push(structuredClone(sender.pack(update.state)));
    unpacked.push(receiver.unpack(packed.at(-1)!));
  });
  const api = new FakeApi();
  api.change("trace", envelope(0, "turn.start", { agentId: "a" }), envelope(1, "turn.start", {}));
  api.change("orchestration", { agentId: "a" });
  await engine.openSession(SESSION, traceQuery({}));
  await engine.openSession(SESSION, traceQuery({}));
  expect(unpacked).toEqual(states);
  expect(packed.filter(({ agents }) => agents?.length === 1)).toHaveLength(1);
  expect(packed.filter(({ tracedAgents }) => tracedAgents?.length === 1)).toHaveLength(1);
  expect(packed.at(-1)).not.toHaveProperty("overview");
  expect(unpacked.at(-1)!.tracedAgents).toBe(unpacked.at(-2)!.tracedAgents);

  api.change(
    "trace",
    envelope(0, "turn.start", { agentId: "a" }),
    envelope(1, "turn.start", {}),
    envelope(2, "x"),
  );
  await engine.pollSession();
  expect(packed.at(-1)).toHaveProperty("tracedAgents");
  expect(unpacked).toEqual(states);
});
