import { batchOfTexts, streamOf } from "../../../src/advanced.js";
import type { RecordStream } from "../../../src/index.js";
import {
  type HostileCase,
  long,
  MESSAGES,
  ORCHESTRATION,
  SHORT_MS,
  shape,
  TRACE,
  withLog,
  withMessages,
  withTrace,
} from "./case.js";
import { fail, failure, unreadable, untouchable } from "./values.js";

function giving(size: unknown, ...batches: unknown[]): RecordStream {
  const read = async function* () {
    yield* batches;
  };
  return { size, warnings: [], read } as unknown as RecordStream;
}

const batch = (...records: readonly unknown[]) =>
  batchOfTexts(records.map((record) => JSON.stringify(record)));

export const SIZES = [Number.NaN, -1, 1.5, "3", 2 ** 53, undefined, Promise.resolve(1)].map((size) =>
  shape(`a stream has the size ${String(size)}`, MESSAGES, withMessages(giving(size))),
);

const [a, b] = [{ a: 1 }, { b: 2 }];

export const COUNTS = [
  shape("a stream gives no record of one", MESSAGES, withMessages(giving(1))),
  shape("a stream gives one record of two", MESSAGES, withMessages(giving(2, batch(a)))),
  shape("a stream gives two records of one", MESSAGES, withMessages(giving(1, batch(a, b)))),
  shape(
    "a stream gives two batches of one record for one",
    MESSAGES,
    withMessages(giving(1, batch(a), batch(b))),
  ),
  shape(
    "a stream gives two batches for three",
    MESSAGES,
    withMessages(giving(3, batch(a), batch(b))),
    "broken off",
  ),
  shape(
    "a stream gives too few after the first byte",
    MESSAGES,
    withMessages(giving(4, batch(a), batch(b), batch(a))),
    "broken off",
  ),
  shape(
    "a stream gives too many after the first byte",
    MESSAGES,
    withMessages(giving(3, batch(a), batch(b), batch(a), batch(b))),
    "broken off",
  ),
  shape(
    "a stream of orchestration events gives one record of two",
    ORCHESTRATION,
    withLog({ events: giving(2, batch(a)) }),
  ),
  shape("a trace gives one record of four", TRACE, withTrace({ read: giving(4, batch(a)).read })),
];

export const BORDERS = Object.entries({
  "has no text": { ...batch(a, b), text: undefined },
  "has a text that is a string": { ...batch(a, b), text: '{"a":1},{"b":2}' },
  "has no size": { ...batch(a, b), size: undefined },
  "is a promise's": { ...batch(a, b), size: Promise.resolve(2) },
  "has fewer records than it says": { ...batch(a), size: 2 },
  "has records that lie in each other": { ...batch(a, b), start: () => 0, end: () => 15 },
  "has records behind its end": { ...batch(a, b), end: (i: number) => (i + 1) * 100 },
  "has borders that are no numbers": { ...batch(a, b), start: () => Number.NaN },
  "has borders that throw": { ...batch(a, b), start: fail },
  "has borders that are promises": { ...batch(a, b), start: () => Promise.reject(failure()) },
  "is nothing": undefined,
}).map(([name, of]) => shape(`a batch ${name}`, MESSAGES, withMessages(giving(2, of))));

const iterating = (iterator: object) =>
  withMessages({ ...streamOf(long), read: () => ({ [Symbol.asyncIterator]: () => iterator }) });

export const ITERATORS = [
  shape("an iterator throws in sync", MESSAGES, iterating({ next: fail })),
  shape("an iterator gives no result", MESSAGES, iterating({ next: async () => 42 })),
  shape("an iterator has no next", MESSAGES, iterating({})),
  shape(
    "an iterator's return rejects where its batch is wrong",
    MESSAGES,
    iterating({ next: async () => ({ done: false, value: 42 }), return: () => Promise.reject(failure()) }),
  ),
  shape("a stream has no read", MESSAGES, withMessages({ size: 1, warnings: [] })),
  shape("read gives an array of nothing", MESSAGES, withMessages({ ...streamOf(long), read: () => [] })),
];

async function* endless(): AsyncGenerator<unknown> {
  for (;;) yield batchOfTexts([]);
}

async function* stalling(): AsyncGenerator<unknown> {
  for (const message of long.slice(0, 3)) yield batch(message);
  await new Promise(() => undefined);
}

async function* failing(error: unknown): AsyncGenerator<unknown> {
  for (const message of long.slice(0, 3)) yield batch(message);
  throw error;
}

const LATE = {
  "an error": failure(),
  nothing: undefined,
  "an error that cannot be read": unreadable(failure()),
  "a proxy that throws": untouchable(),
};

export const LATE_FAILURES: readonly HostileCase[] = [
  ...Object.entries(LATE).map(([name, error]) =>
    shape(
      `a stream throws ${name} after the first byte`,
      MESSAGES,
      withMessages({ ...streamOf(long), read: () => failing(error) }),
      "broken off",
    ),
  ),
  {
    ...shape(
      "onError throws after the first byte",
      MESSAGES,
      withMessages({ ...streamOf(long), read: () => failing(failure()) }),
      "broken off",
    ),
    onError: fail,
  },
  {
    ...shape(
      "a stream stalls after the first byte",
      MESSAGES,
      withMessages({ ...streamOf(long), read: stalling }),
      "broken off",
    ),
    timeoutMs: SHORT_MS,
  },
  {
    ...shape(
      "a stream gives nothing but empty batches",
      MESSAGES,
      withMessages({ ...streamOf(long), read: endless }),
      503,
    ),
    timeoutMs: SHORT_MS,
  },
];
