import { afterEach, describe, expect, it, vi } from "vitest";
import { type InMemorySession, parseSearchQuery, SearchRecords } from "../../src/advanced.js";
import { SOURCES } from "../support/sources.js";

/** Every character may be at any of hundreds of steps. */
const SLOW = `re:${"(?:ab|bc|c)*".repeat(60)}`;
const LONG = "abccab".repeat(700);

const kinds = ["text"] as const;
const messages = [LONG, "ab", LONG, "bc"].map((content) => ({ role: "user", content }));
const SESSIONS: readonly InMemorySession[] = ["s1", "s2"].map((sessionId, i) => ({
  sessionId,
  createdAt: i,
  messages,
}));

afterEach(() => {
  vi.restoreAllMocks();
});

/** Milliseconds between two looks at the clock. */
function machineWith(msPerLook: number): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += msPerLook;
    return now;
  });
}

describe.each(SOURCES)("A slow regular expression, in %s", (_, create) => {
  const found = async (msPerLook: number) => {
    const search = new SearchRecords(await create(SESSIONS), undefined, { now: () => 0 });
    machineWith(msPerLook);
    const places: (string | number | undefined)[][] = [];
    const notes = new Set<string>();
    for (let cursor: string | undefined, answers = 1; ; answers++) {
      const answer = await search.execute({ query: parseSearchQuery(SLOW)!, kinds, limit: 100, cursor });
      places.push(...answer.hits.map(({ sessionId, messageIndex }) => [sessionId, messageIndex]));
      for (const note of answer.notes ?? []) notes.add(note);
      if (answer.nextCursor === null) return { places, notes: [...notes], answers };
      cursor = answer.nextCursor;
    }
  };

  it("finds what it finds where there is time", async () => {
    const { places, notes } = await found(0);
    expect(places).toEqual(["s2", "s1"].flatMap((id) => [0, 1, 2, 3].map((at) => [id, at])));
    expect(notes.filter((note) => note.includes("Slow"))).toEqual([]);
  });

  it("ends an answer behind a record, and goes on there", async () => {
    const { places, answers } = await found(10);
    expect(places).toEqual(["s2", "s1"].flatMap((id) => [0, 1, 2, 3].map((at) => [id, at])));
    expect(answers).toBeGreaterThan(2);
  });

  it("leaves out a record that takes too long, says so, and goes on behind it", async () => {
    const { places, notes } = await found(100);
    expect(places).toEqual(["s2", "s1"].flatMap((id) => [1, 3].map((at) => [id, at])));
    expect(notes.filter((note) => note.includes("takes too long"))).toHaveLength(2);
  });
});
