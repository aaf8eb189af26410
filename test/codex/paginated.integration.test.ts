import { appendFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { InspectorDataSource } from "../../src/application/ports/inspector-data-source.js";
import {
  completed,
  counted,
  event,
  lines,
  meta,
  newHome,
  openHome,
  prompted,
  type Rec,
  rolloutOf,
  said,
  started,
  TENANT,
} from "./support/homes.js";

/** Ids that begin with the time, as Codex gives threads and turns. */
const id = (time: number) => `019f0000-00${String(time).padStart(2, "0")}-7000-8000-000000000000`;
const THREAD = id(10);

const turn = (time: number, question: string, answer: string): Rec[] => [
  started(id(time)),
  ...prompted(question),
  said("assistant", answer),
  counted(time * 100, 0, time, [100, 0, 1]),
  completed(id(time), answer),
];

const WHOLE = [
  meta(THREAD),
  ...turn(11, "One?", "One."),
  ...turn(12, "Two?", "Two."),
  ...turn(13, "Three?", "Three."),
];
const beginningOf = (turns: number) => lines(WHOLE.slice(0, 1 + turns * 6));
const based = (rolloutId: string, text: string) => ({
  history_base: { thread_id: rolloutId, end_byte_offset: Buffer.byteLength(text) },
});

interface Conversation {
  readonly texts: readonly string[];
  readonly seen: readonly string[];
}

async function conversationOf(source: InspectorDataSource, sessionId: string): Promise<Conversation> {
  const session = (await source.openSession!(TENANT, sessionId))!;
  const messages = (await source.loadMessages(TENANT, sessionId)) as { content: { text: string }[] }[];
  const texts = messages.map(({ content }) => content[0]!.text);
  const { outline } = await session.messages();
  const last = outline!.calls.at(-1)!;
  const isSeen = texts.map((_, i) => i < last.at);
  for (const { at, messages, restored = [] } of outline!.removals) {
    if (at > last.at) continue;
    for (const [from, to] of messages) isSeen.fill(false, from, to);
    for (const [from, to] of restored) isSeen.fill(true, from, to);
  }
  return { texts, seen: texts.filter((_, i) => isSeen[i]) };
}

describe("a thread that goes on from the middle of another", () => {
  it("is a fork that has seen what lies before it, and counts what is its own", async () => {
    const fork = id(20);
    const own = [
      meta(fork, { forked_from_id: THREAD, ...based(THREAD, beginningOf(2)) }),
      ...turn(21, "Else?", "Else."),
    ];
    const home = await newHome({
      [rolloutOf(THREAD)]: lines(WHOLE),
      [rolloutOf(fork, "2026/07/02")]: lines(own, 100),
    });
    const source = openHome(home);
    expect(await conversationOf(source, fork)).toEqual({
      texts: ["One?", "One.", "Two?", "Two.", "Else?", "Else."],
      seen: ["One?", "One.", "Two?", "Two.", "Else?"],
    });
    const listed = await source.listSessions();
    expect(listed.map(({ sessionId, turns }) => [sessionId, turns])).toEqual([
      [fork, 1],
      [THREAD, 3],
    ]);
    const trace = await source.loadTraceEnvelopes(TENANT, fork);
    expect(trace.filter(({ event: { type } }) => type === "llm.start")).toHaveLength(1);
    await appendFile(path.join(home, rolloutOf(THREAD)), lines(turn(14, "Four?", "Four."), 60));
    expect((await conversationOf(source, fork)).texts).toHaveLength(6);
    expect((await conversationOf(source, THREAD)).texts).toHaveLength(8);
  });

  it("says of a fork whose beginning is gone what is left", async () => {
    const fork = id(20);
    const own = [
      meta(fork, { forked_from_id: THREAD, ...based(THREAD, beginningOf(2)) }),
      ...turn(21, "Else?", "Else."),
    ];
    const source = openHome(await newHome({ [rolloutOf(fork)]: lines(own) }));
    expect(await conversationOf(source, fork)).toEqual({ texts: ["Else?", "Else."], seen: ["Else?"] });
    expect(await source.listSessions()).toMatchObject([{ sessionId: fork, turns: 1, tokens: 101 }]);
  });

  it("is a revert that takes back what lies behind, and may be taken back itself", async () => {
    const first = [meta(THREAD, based(THREAD, beginningOf(1))), ...turn(21, "Again?", "Again.")];
    const second = [meta(THREAD, based(THREAD, beginningOf(2))), ...turn(31, "Still?", "Still.")];
    const part = (day: string, time: number) =>
      `sessions/${day}/rollout-${day.replaceAll("/", "-")}T10-00-00-${THREAD}_${id(time)}.jsonl`;
    const home = await newHome({
      [rolloutOf(THREAD)]: lines(WHOLE),
      [part("2026/07/02", 20)]: lines(first, 100),
    });
    const texts = ["One?", "One.", "Two?", "Two.", "Three?", "Three.", "Again?", "Again."];
    expect(await conversationOf(openHome(home), THREAD)).toEqual({ texts, seen: ["One?", "One.", "Again?"] });
    const again = await newHome({
      [rolloutOf(THREAD)]: lines(WHOLE),
      [part("2026/07/02", 20)]: lines(first, 100),
      [part("2026/07/03", 30)]: lines(second, 200),
    });
    const source = openHome(again);
    expect(await conversationOf(source, THREAD)).toEqual({
      texts: [...texts, "Still?", "Still."],
      seen: ["One?", "One.", "Two?", "Two.", "Still?"],
    });
    expect(await source.listSessions()).toMatchObject([{ sessionId: THREAD, turns: 5 }]);
  });
});

describe("a thread that begins with copies of one that is not here", () => {
  const fork = (time: number, question: string) => [
    meta(id(time), { forked_from_id: THREAD }),
    ...WHOLE.slice(0, 13),
    ...turn(time + 1, question, "Own."),
  ];

  it("counts its own turns alone, and so does another one", async () => {
    const source = openHome(
      await newHome({
        [rolloutOf(id(20))]: lines(fork(20, "First?")),
        [rolloutOf(id(30), "2026/07/02")]: lines(fork(30, "Second?"), 100),
      }),
    );
    const listed = await source.listSessions();
    expect(listed.map(({ sessionId, turns, tokens }) => [sessionId, turns, tokens])).toEqual([
      [id(30), 1, 3_131 - 1_212],
      [id(20), 1, 2_121 - 1_212],
    ]);
    const [started] = await source.loadTraceEnvelopes(TENANT, id(20));
    expect(started!.event).toMatchObject({ type: "session.start", replayed: 13 });
    expect(await conversationOf(source, id(20))).toMatchObject({
      texts: ["One?", "One.", "Two?", "Two.", "First?", "Own."],
      seen: ["One?", "One.", "Two?", "Two.", "First?"],
    });
  });

  it("is named by its role and by who spawned it where it is a sub-agent", async () => {
    const spawned = [
      meta(id(20), { parent_thread_id: THREAD, agent_role: "reviewer", agent_nickname: "Ada" }),
      ...turn(21, "Message Type: NEW_TASK", "Done."),
    ];
    const source = openHome(await newHome({ [rolloutOf(id(20))]: lines(spawned) }));
    expect(await source.listSessions()).toMatchObject([
      { sessionId: id(20), title: `reviewer Ada, a sub-agent of ${THREAD} (not here)`, turns: 1 },
    ]);
  });
});

describe("a conversation that was rolled back", () => {
  it("sees no more the newest prompts, nor what followed them", async () => {
    const back = [...WHOLE, event("thread_rolled_back", { num_turns: 2 }), ...turn(14, "Four?", "Four.")];
    const source = openHome(await newHome({ [rolloutOf(THREAD)]: lines(back) }));
    expect((await conversationOf(source, THREAD)).seen).toEqual(["One?", "One.", "Four?"]);
  });
});
