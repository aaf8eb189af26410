import { expect, it } from "vitest";
import { SourceUnavailableError } from "../errors.js";
import type { SessionInput } from "../ports/session-snapshot.js";
import { InProcessPool } from "./in-process-pool.js";
import { dropState, ThreadSession, withState } from "./thread-session.js";

const steps = withState(
  (): string[] => [],
  // biome-ignore lint/correctness/useYield: a task is a generator
  function* (state, word: string): Generator<void, readonly string[]> {
    state.push(word);
    return [...state];
  },
);
const SAY = { module: import.meta.url, name: "steps", steps };

it("goes on with what its tasks before have made, and with nothing of another conversation", async () => {
  const pool = new InProcessPool();
  const [one, other] = [new ThreadSession(pool), new ThreadSession(pool)];
  expect(await one.call(SAY, "a")).toEqual(["a"]);
  expect(await other.call(SAY, "b")).toEqual(["b"]);
  expect(await one.call(SAY, "c")).toEqual(["a", "c"]);
  await one.close();
  expect(await other.call(SAY, "d")).toEqual(["b", "d"]);
  await other.close();
});

it("fails when it was closed", async () => {
  const closed = new ThreadSession(new InProcessPool());
  await closed.call(SAY, "a");
  await closed.close();
  await expect(closed.call(SAY, "b")).rejects.toThrow(SourceUnavailableError);
});

it("fails when its thread ended between two tasks, instead of going on with a part", async () => {
  let request: string | undefined;
  const noted = {
    ...SAY,
    steps: (input: SessionInput<string>) => {
      request = input.session;
      return steps(input);
    },
  };
  const session = new ThreadSession(new InProcessPool());
  await session.call(noted, "a");
  for (const _ of dropState(request!));
  await expect(session.call(SAY, "b")).rejects.toThrow("could not be read to its end");
});
