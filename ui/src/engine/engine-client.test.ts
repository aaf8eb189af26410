import { expect, it, vi } from "vitest";
import { EngineClient } from "./engine-client.js";
import { engineMethods, type FromEngine, NoSessionError } from "./engine-methods.js";

/** A worker that answers what the test says. */
function clientOf() {
  let receive: (event: { data: FromEngine }) => void = () => undefined;
  const addEventListener = (_: string, listener: typeof receive) => {
    receive = listener;
  };
  const worker = { addEventListener, postMessage: () => undefined } as unknown as Worker;
  const client = new EngineClient(
    "/",
    (use) => use(worker),
    (call) => call(),
  );
  return { client, answer: (data: FromEngine) => receive({ data }) };
}

it("a question about a session that was left meanwhile stays without an answer, and others have theirs", async () => {
  const { client, answer } = clientOf();
  const settled = vi.fn();
  client.call("traceRows", 0, 1).then(settled, settled);
  const listed = client.call("listIndex", "acme", "s1");
  const failed = client.call("refreshList");
  answer({ type: "outdated", id: 1 });
  answer({ type: "answer", id: 2, value: 7 });
  answer({ type: "failure", id: 3, message: "it is broken" });
  expect(await listed).toBe(7);
  await expect(failed).rejects.toThrow("it is broken");
  expect(settled).not.toHaveBeenCalled();
});

it("such a question is told from a failure by the engine", () => {
  const engine = engineMethods("http://host/", () => undefined);
  expect(() => engine.traceRows(0, 1)).toThrow(NoSessionError);
});
