import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHistories } from "../../src/histories.js";
import {
  about,
  archive,
  assistant,
  log,
  type Members,
  model,
  newFolder,
  openFiles,
  sample,
  user,
} from "./support/logs.js";

const SAMPLE = sample("a", [model(1, [user("How many?")], assistant("3"))]);
const member = (one: object = SAMPLE) => ["samples/a_epoch_1.json", one] as const;
const HEADER = ["header.json", about()] as const;

async function only(bytes: Uint8Array) {
  const source = await openFiles({ "log.eval": bytes });
  const [item] = await source.listSessions();
  const trace = item && (await source.loadTraceEnvelopes(item.tenantId, item.sessionId));
  return { item, events: trace?.map(({ event }) => event) ?? [] };
}

describe("an archive", () => {
  it("may need eight bytes for sizes and places", async () => {
    const { item } = await only(archive([member(), HEADER], { isLarge: true }));
    expect(item).toMatchObject({ sessionId: "a", tokens: 110, title: "counting a" });
  });

  it("may hold a name twice: the member that was written last counts", async () => {
    const rescored = sample("a", [{ event: "score", score: { value: "C" } }]);
    const { events } = await only(archive([member(), member(rescored), HEADER]));
    expect(events.filter(({ type }) => type === "llm.start")).toEqual([]);
    expect(events.find(({ type }) => type === "inspect.score")).toMatchObject({ value: "C" });
  });

  it("may hold members packed with Zstandard, of several frames one after another", async () => {
    const packed = Buffer.from(
      "KLUv/SBBCQIAeyJpZCI6InoiLCJlcG9jaCI6MSwiaW5wdXQiOiJIb3cgbWFueSBhcHBsZXMgYXJlIGluIHRoZSBiYXNrZXQ/IiwotS/9IEhBAgAibWVzc2FnZXMiOltdLCJldmVudHMiOlt7ImV2ZW50IjoiaW5mbyIsImRhdGEiOiJwYWNrZWQgaW4gdHdvIGZyYW1lcyJ9XX0=",
      "base64",
    );
    const { item, events } = await only(
      archive([["samples/z_epoch_1.json", { packed, method: 93, size: 137 }], HEADER]),
    );
    expect(item?.sessionId).toBe("z");
    expect(events.find(({ type }) => type === "inspect.info")).toMatchObject({
      record: { data: "packed in two frames" },
    });
  });

  it("may hold numbers that JSON has none for, which Python writes", async () => {
    const text = JSON.stringify({ ...SAMPLE, scores: { m: { value: "@" } }, note: "NaN is no number" });
    const { events } = await only(
      archive([["samples/a_epoch_1.json", text.replace('"@"', 'NaN, "low": -Infinity')], HEADER]),
    );
    expect(events.find(({ type }) => type === "inspect.score")).toMatchObject({
      name: "m",
      value: "NaN",
      low: "-Infinity",
    });
    const [first] = events.filter(({ type }) => type === "inspect.sample");
    expect(first).toMatchObject({ record: { sample: { note: "NaN is no number" } } });
  });

  it("that is still written has no header: its journal says what it is, and what its samples scored", async () => {
    const { item } = await only(
      archive([
        ["_journal/start.json", about({ status: "started" })],
        member(),
        ["_journal/summaries/1.json", [{ id: "a", epoch: 1, scores: { m: { value: 0.5 } } }]],
      ]),
    );
    expect(item).toMatchObject({ title: "counting a: 0.5", tokens: 110 });
  });

  it("that is damaged, or no log, costs itself alone, and says why", async () => {
    const whole = log([SAMPLE]);
    const huge = { packed: new Uint8Array(8), method: 8, size: 2 ** 31 };
    const bomb: Members = [
      ["samples/a_epoch_1.json", { ...huge, size: 10, packed: archive([member()]).subarray(52, 300) }],
      HEADER,
    ];
    const source = await openFiles({
      "good.eval": whole,
      "cut.eval": whole.subarray(0, whole.length - 30),
      "bomb.eval": archive(bomb),
      "huge.eval": archive([["samples/a_epoch_1.json", huge], HEADER]),
      "method.eval": archive([["samples/a_epoch_1.json", { ...huge, method: 12, size: 8 }], HEADER]),
      "no-json.eval": archive([["samples/a_epoch_1.json", "[1, 2"], HEADER]),
      "no-log.eval": archive([["words.txt", "words"]]),
      "no-zip.eval": Buffer.from("words"),
      "empty.eval": Buffer.alloc(0),
    });
    const items = await source.listSessions();
    expect(items.map(({ tenantId, tokens, warnings }) => [tenantId, tokens, warnings]).sort()).toEqual([
      ["bomb", 0, 1],
      ["good", 110, undefined],
      ["huge", 0, 1],
      ["method", 0, 1],
      ["no-json", 0, 1],
    ]);
    const why = async (tenantId: string) => {
      const opening = source.openSession!(tenantId, "a").then((session) => session!.trace());
      return opening.then(String, ({ message }: Error) => message);
    };
    expect(await why("huge")).toContain("larger than 1 GiB");
    expect(await why("method")).toContain("packed in an unknown way");
    expect(await why("bomb")).toContain("cannot be unpacked");
    expect(await why("no-json")).toContain("no JSON object");
    const cut = source.openSession!("cut", "a");
    await expect(cut).rejects.toThrow("cut.eval cannot be read. The archive is damaged: its end is missing");
  });

  it("is opened by itself, in a folder, and beside logs in JSON", async () => {
    const root = await newFolder({
      "logs/sub/one.eval": log([SAMPLE, sample("b", [], { epoch: 2 })]),
      "logs/two.json": JSON.stringify({ ...about(), samples: [SAMPLE] }),
      "logs/other.json": JSON.stringify({ version: 1, samples: [] }),
    });
    const listed = async (place: string) => {
      const source = await openHistories("inspect", path.join(root, place), { threads: false });
      onTestFinished(() => source.close?.());
      return (await source.listSessions())
        .map(({ tenantId, sessionId, title }) => [tenantId, sessionId, title])
        .sort();
    };
    const [a, b] = [
      ["a", "counting a"],
      ["b_epoch_2", "counting b (epoch 2)"],
    ] as const;
    expect(await listed("logs")).toEqual([
      ["sub.one", ...a],
      ["sub.one", ...b],
      ["two.json", ...a],
    ]);
    expect(await listed("logs/sub/one.eval")).toEqual([
      ["one", ...a],
      ["one", ...b],
    ]);
    expect(await listed("logs/two.json")).toEqual([["two.json", ...a]]);
  });
});
