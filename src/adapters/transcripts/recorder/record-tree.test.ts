import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VisibleMessages } from "../../../domain/conversation/conversation-outline.js";
import { MessagePlaces } from "./message-places.js";
import { RecordTree, type TreeRecord } from "./record-tree.js";

function follow(records: readonly TreeRecord[]) {
  const messages = new MessagePlaces();
  const tree = new RecordTree(messages);
  const dropped = records.map((record, i) => {
    const count = tree.goTo(record);
    if (record.isMessage) messages.add({ start: i, length: 1, line: i + 1, content: i });
    tree.add(record);
    return count;
  });
  const { outline } = messages.view();
  const visible = new VisibleMessages();
  for (const removal of outline.removals) visible.apply(removal);
  const context = visible.runs.flatMap(([from, to]) =>
    Array.from({ length: Math.max(0, Math.min(to, messages.size) - from) }, (_, i) => from + i),
  );
  return { dropped, seen: context, ...outline };
}

function record(
  key: string,
  parentId: string | null | undefined,
  more: Partial<TreeRecord> = {},
): TreeRecord {
  const none = { instant: 0, isUnseen: false, editedId: undefined, retainedFromId: undefined };
  return { key, parentId, isMessage: true, ...none, ...more };
}

const chain = ["a", "b", "c", "d"].map((key, i) => record(key, i === 0 ? null : "abcd"[i - 1]));

describe("A tree of records", () => {
  it("takes nothing back where each record follows the one before, or one that is not there", () => {
    expect(follow([...chain, record("e", "gone"), record("f", undefined)])).toMatchObject({
      dropped: [0, 0, 0, 0, 0, 0],
      removals: [],
      seen: [0, 1, 2, 3, 4, 5],
    });
  });

  it("takes back what is not on the path of a record, and brings it back with the branch", () => {
    const branched = [...chain, record("e", "b")];
    expect(follow(branched)).toMatchObject({
      dropped: [0, 0, 0, 0, 2],
      seen: [0, 1, 4],
      removals: [{ at: 4, cause: "rewind", messages: [[2, 4]] }],
    });
    const { seen: context, removals } = follow([...branched, record("f", "d")]);
    expect(context).toEqual([0, 1, 2, 3, 5]);
    expect(removals.at(-1)).toMatchObject({ at: 5, messages: [[4, 5]], restored: [[2, 4]] });
  });

  it("begins anew at a second root", () => {
    expect(follow([...chain, record("e", null)])).toMatchObject({ dropped: [0, 0, 0, 0, 4], seen: [4] });
  });

  it("shows a summary, what it kept, and what came behind it", () => {
    const { seen: context, removals } = follow([
      ...chain,
      record("s", "d", { retainedFromId: "c" }),
      record("e", "s"),
    ]);
    expect(context).toEqual([4, 2, 3, 5]);
    expect(removals).toMatchObject([
      {
        at: 5,
        cause: "compaction",
        messages: [[0, 2]],
        seen: [
          [4, 5],
          [2, 4],
        ],
      },
    ]);
    expect(follow([...chain, record("s", "d", { retainedFromId: "s" })]).seen).toEqual([4]);
  });

  it("shows again what was before a summary that was taken back", () => {
    expect(follow([...chain, record("s", "d", { retainedFromId: "d" }), record("e", "b")]).seen).toEqual([
      0, 1, 5,
    ]);
  });

  it("hides what no call sees, and what was edited on the path", () => {
    const failed = record("e", "d", { isUnseen: true });
    const edit = record("f", "e", { isMessage: false, editedId: "b" });
    expect(follow([...chain, failed, edit, record("g", "f")]).seen).toEqual([0, 2, 3, 5]);
    expect(follow([...chain, failed, edit, record("g", "d")]).seen).toEqual([0, 1, 2, 3, 5]);
  });

  const step = fc.record({
    parent: fc.option(fc.nat(30), { nil: undefined, freq: 4 }),
    isMessage: fc.boolean(),
    isUnseen: fc.boolean(),
    edits: fc.option(fc.nat(30), { nil: undefined, freq: 5 }),
    keptFrom: fc.option(fc.nat(30), { nil: undefined, freq: 5 }),
  });

  it("shows what a walk from the last record to the root finds, whatever the tree", () => {
    const trees = fc.array(step, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(trees, (steps) => {
        const records = steps.map(({ parent, isMessage, isUnseen, edits, keptFrom: retainedFrom }, i) => {
          const name = (n: number) => `r${n % Math.max(1, i)}`;
          const parentId = i === 0 ? null : parent === undefined ? `r${i - 1}` : name(parent);
          const editedId = edits === undefined || i === 0 ? undefined : name(edits);
          const retainedFromId = retainedFrom === undefined || i === 0 ? undefined : name(retainedFrom);
          return record(`r${i}`, parentId, {
            isMessage: isMessage || retainedFromId !== undefined,
            isUnseen: isUnseen && retainedFromId === undefined,
            editedId,
            retainedFromId,
          });
        });
        expect(follow(records).seen).toEqual(walked(records));
      }),
      { numRuns: 300 },
    );
  });

  it("walks no more of it than it has time for", () => {
    const long = Array.from({ length: 5_000 }, (_, i) => record(`a${i}`, i === 0 ? null : `a${i - 1}`));
    const jumps = Array.from({ length: 5_000 }, (_, i) => record(`j${i}`, i % 2 === 0 ? "a4000" : "a4999"));
    const { dropped } = follow([...long, ...jumps]);
    expect(dropped[5_000]).toBe(999);
    expect(dropped.at(-1)).toBe(0);
  });
});

/** The same as the writer of such a file finds it, for the last record of it. */
function walked(records: readonly TreeRecord[]): number[] {
  const indexOf = new Map<TreeRecord, number>();
  for (const one of records) if (one.isMessage) indexOf.set(one, indexOf.size);
  const byKey = new Map(records.map((one) => [one.key, one]));
  const path: TreeRecord[] = [];
  for (let one = records.at(-1); one !== undefined; one = byKey.get(one.parentId ?? "")) path.unshift(one);
  const edited = new Set(path.map(({ editedId }) => editedId));
  const isInContext = (one: TreeRecord) => one.isMessage && !one.isUnseen && !edited.has(one.key);
  const summary = path.findLast(({ retainedFromId }) => retainedFromId !== undefined);
  if (summary === undefined) return path.filter(isInContext).map((one) => indexOf.get(one)!);
  const at = path.indexOf(summary);
  const first = path.findIndex(({ key }) => key === summary.retainedFromId);
  const retained = path.filter(
    (one, i) => first >= 0 && i >= first && i < at && one.retainedFromId === undefined,
  );
  return [summary, ...retained, ...path.slice(at + 1)].filter(isInContext).map((one) => indexOf.get(one)!);
}
