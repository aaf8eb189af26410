import { lineCounts } from "../../../../src/domain/changes/file-change.js";
import type { MessagePart } from "../../../../src/domain/conversation/message-part.js";
import { isJsonObject, type JsonObject } from "../../../../src/domain/json/json.js";
import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import { nextTask } from "../../api/fetch-records.js";
import type { RecordedToolCall } from "../../model/changes/call-changes.js";
import type { LineCount } from "./line-counts.js";

type ToolCall = Extract<MessagePart, { type: "call" }>;

export interface DoneCall {
  readonly part: ToolCall;
  /** Set if the trace has been read that far. It may describe more of the change than the call's input. */
  readonly ended: EventFacts | undefined;
  /** `{}` without such an event. */
  end(): JsonObject;
}

interface CachedCount extends Pick<DoneCall, "ended"> {
  readonly count: LineCount | undefined;
}

const SLICE_MS = 8;

const PATCH = "*** Begin Patch";
const NAMES = ["old_string", "oldString", "old_str", "edits", "content", "file_text"];

/** Reads each edit once. The first edit loads the code for this. */
export class MessageEdits {
  readonly #counts = new WeakMap<ToolCall, CachedCount>();
  #read: ((call: RecordedToolCall) => LineCount | undefined) | undefined;

  /** Without the code, calls have no counts; the next call tries again. */
  async prepare(calls: Iterable<DoneCall>): Promise<void> {
    if (this.#read !== undefined) return;
    for (const { part } of calls) {
      if (!mayChange(part.input)) continue;
      const loaded = await import("../../model/changes/call-changes.js").catch(() => undefined);
      if (loaded === undefined) return;
      this.#read = (call) => {
        const changes = loaded.callChanges(call);
        return changes && lineCounts(changes.files);
      };
      return;
    }
  }

  /** @returns `undefined` if no file changed, and before `prepare` */
  count({ part, ended, end }: DoneCall): LineCount | undefined {
    const cached = this.#counts.get(part);
    if (cached !== undefined && cached.ended === ended) return cached.count;
    const change = mayChange(part.input);
    if (change && this.#read === undefined) return undefined;
    const count = change ? this.#read?.({ name: part.name, input: part.input, end: end() }) : undefined;
    this.#counts.set(part, { ended, count });
    return count;
  }

  /** Works in slices. @returns a sum per group, `undefined` without an edit */
  async sums(groups: readonly (readonly DoneCall[])[]): Promise<readonly (LineCount | undefined)[]> {
    await this.prepare(groups.flat());
    const sums: (LineCount | undefined)[] = [];
    let began = performance.now();
    for (const group of groups) {
      let sum: LineCount | undefined;
      for (const call of group) {
        const { added, removed } = this.count(call) ?? NOTHING;
        if (added + removed > 0)
          sum = { added: (sum?.added ?? 0) + added, removed: (sum?.removed ?? 0) + removed };
        if (performance.now() - began < SLICE_MS) continue;
        await nextTask();
        began = performance.now();
      }
      sums.push(sum);
    }
    return sums;
  }
}

const NOTHING: LineCount = { added: 0, removed: 0 };

function mayChange(input: unknown): boolean {
  if (typeof input === "string") return input.includes(PATCH);
  if (!isJsonObject(input)) return false;
  return Object.entries(input).some(([name, value]) => {
    const text = Array.isArray(value) ? value.at(-1) : value;
    return NAMES.includes(name) || (typeof text === "string" && text.includes(PATCH));
  });
}
