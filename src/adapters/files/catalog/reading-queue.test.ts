import { expect, it } from "vitest";
import { ReadingQueue } from "./reading-queue.js";

const HUGE = 64 * 1024 * 1024;

/** Sessions that are read when the test says so, one a portion. */
function controlled() {
  const ready = new Set<object>();
  const order: string[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const queue = new ReadingQueue<{ readonly name: string; readonly bytes: number }>(
    (one) => ready.has(one),
    (portion) =>
      new Promise((resolve, reject) => {
        order.push(...portion.map(({ name }) => name));
        ends.push((error) => {
          if (error !== undefined) return reject(error);
          for (const one of portion) ready.add(one);
          resolve();
        });
      }),
  );
  const sessions = (names: string) => names.split(" ").map((name) => ({ name, bytes: HUGE }));
  const end = async (error?: Error) => {
    ends.shift()!(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, order, sessions, end };
}

const { signal } = new AbortController();

it("gives what there is when the time is over, and goes on reading for whoever asks next", async () => {
  const { queue, order, sessions, end } = controlled();
  const all = sessions("a b c");
  await queue.wait(all, 5, signal);
  expect(order).toEqual(["a"]);
  await end();
  expect(order).toEqual(["a", "b"]);
  const waiting = queue.wait(all, 60_000, signal);
  await end();
  await end();
  await waiting;
  expect(order).toEqual(["a", "b", "c"]);
});

it("reads what was asked for last first, and what was asked for before it behind", async () => {
  const { queue, order, sessions, end } = controlled();
  await queue.wait(sessions("a b c"), 5, signal);
  const own = queue.wait(sessions("x"), 60_000, signal);
  await end();
  await end();
  await own;
  expect(order).toEqual(["a", "x", "b"]);
});

it("tells who waits of a failure, and reads again for who asks after it", async () => {
  const { queue, order, sessions, end } = controlled();
  const all = sessions("a");
  const waiting = queue.wait(all, 60_000, signal);
  const failure = expect(waiting).rejects.toThrow("gone");
  await end(new Error("gone"));
  await failure;
  const again = queue.wait(all, 60_000, signal);
  await end();
  await again;
  expect(order).toEqual(["a", "a"]);
});

it("ends soon after nobody asks any more", async () => {
  const { queue, order, sessions, end } = controlled();
  await queue.wait(sessions("a b"), 5, signal);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await end();
  expect(order).toEqual(["a"]);
});
