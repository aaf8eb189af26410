import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignConversations } from "./align-conversations.js";

describe("two conversations that are aligned", () => {
  it("agree in what no change holds, whatever they say", () => {
    const side = (most: number) => fc.array(fc.integer({ min: 0, max: most }), { maxLength: 30 });
    const sides = fc.integer({ min: 0, max: 12 }).chain((most) => fc.tuple(side(most), side(most)));
    fc.assert(
      fc.property(sides, ([a, b]) => {
        const { parts, shared, changes = [] } = alignConversations([a, b]);
        const without = (all: readonly number[], side: 0 | 1) =>
          all.filter((_, i) => !changes.some(({ [side]: [from, to] }) => from <= i && i < to));
        expect(parts).toEqual([a.length, b.length]);
        expect(without(a, 0)).toEqual(without(b, 1));
        expect(without(a, 0)).toHaveLength(shared!);
      }),
    );
  });

  it("are told apart by one change where one stretch became another", () => {
    expect(
      alignConversations([
        [1, 2, 3, 4],
        [1, 7, 8, 9, 4, 5],
      ]),
    ).toEqual({
      parts: [4, 6],
      shared: 2,
      changes: [
        [
          [1, 3],
          [1, 4],
        ],
        [
          [4, 4],
          [5, 6],
        ],
      ],
    });
  });

  it("may be empty", () => {
    expect(alignConversations([[], []])).toEqual({ parts: [0, 0], shared: 0, changes: [] });
    expect(alignConversations([[1, 2], []])).toEqual({
      parts: [2, 0],
      shared: 0,
      changes: [
        [
          [0, 2],
          [0, 0],
        ],
      ],
    });
  });

  it("are aligned up to 1,000 edits, of which 50 changes are listed", () => {
    const same = Array.from({ length: 5_000 }, (_, i) => i);
    const other = (changed: number) =>
      same.map((value, i) => (i % 9 === 0 && i < 9 * changed ? -value - 1 : value));
    const most = alignConversations([same, other(500)]);
    expect(most).toMatchObject({ parts: [5_000, 5_000], shared: 4_500 });
    expect(most.changes).toHaveLength(50);
    expect(alignConversations([same, other(501)])).toEqual({ parts: [5_000, 5_000] });
  });
});
