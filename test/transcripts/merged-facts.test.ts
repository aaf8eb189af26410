import { expect, it } from "vitest";
import { FactsRecorder } from "../../src/adapters/transcripts/recorder/facts-recorder.js";
import type { CallPart, ResultPart, ToolOutcome } from "../../src/adapters/transcripts/recorder/parts.js";
import type { RecordOrigin } from "../../src/adapters/transcripts/recorder/record-origin.js";
import { FactsBuilder } from "../../src/domain/facts/facts-builder.js";
import { addConversation } from "./former/add-conversation.js";
import { FactsRecorder as FormerRecorder } from "./former/facts-recorder.js";

const NEWEST = Date.UTC(2026, 0, 2);
const TOOLS = ["Read", "Edit", "Bash", "mcp__a__b", "caf\u00c3\u00a9", ""];
const OUTCOMES: readonly ToolOutcome[] = ["completed", "failed", "refused"];

function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

/** Reports the same random activity to each recorder. */
function report(seed: number, recorders: readonly FactsRecorder[]): void {
  const random = randomOf(seed);
  for (let i = 0; i < 400; i++) {
    const conversation = { ordinal: random(3), model: ["a", "b", undefined][random(3)] };
    const instant = random(9) === 0 ? Number.NaN : NEWEST - random(5_000_000);
    const origin = { conversation, instant } as unknown as RecordOrigin;
    const toolCallId = String(random(40));
    const toolName = TOOLS[random(TOOLS.length)]!;
    const text = `error ${random(4)}`.repeat(1 + random(30));
    const outcome = OUTCOMES[random(3)]!;
    const action = random(7);
    for (const recorder of recorders) {
      if (action === 0) recorder.callModel(origin);
      else if (action === 1)
        recorder.beginTool(origin, { toolCallId, toolName } as CallPart, { file_path: `/${text}` });
      else if (action <= 3)
        recorder.endTool(
          origin,
          { toolCallId, result: () => ({ text }), event: () => ({ toolName }) } as unknown as ResultPart,
          outcome,
        );
      else if (action === 4) recorder.fail(origin, { error: text }, "failed");
      else if (action === 5 && i % 3 === 0) recorder.compact(origin);
      else recorder.happen(origin);
    }
  }
}

it.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "merges the conversations of file %i as before",
  (seed) => {
    const recorder = new FactsRecorder();
    const former = new FormerRecorder();
    report(seed * 7_919 + 1, [recorder, former as unknown as FactsRecorder]);
    const merged = new FactsBuilder();
    const expected = new FactsBuilder();
    for (let ordinal = 0; ordinal < 3; ordinal++) {
      const [own, formerOwn] = [recorder.of(ordinal), former.of(ordinal)];
      expect(own === undefined).toBe(formerOwn === undefined);
      if (own !== undefined) merged.merge(own, NEWEST);
      if (formerOwn !== undefined) addConversation(expected, former, formerOwn, NEWEST);
    }
    expect(merged.build()).toStrictEqual(expected.build());
    expect([...recorder.edited]).toStrictEqual([...former.edited]);
    expect([...recorder.read]).toStrictEqual([...former.read]);
    expect(merged.build().toolUse.calls.length).toBeGreaterThan(5);
  },
);
