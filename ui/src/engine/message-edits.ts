import { lineCounts } from "../../../src/domain/changes/file-change.js";
import type { MessagePart } from "../../../src/domain/conversation/message-part.js";
import { isJsonObject, type JsonObject } from "../../../src/domain/json/json.js";
import type { EventFacts } from "../../../src/domain/spans/event-facts.js";
import { nextTask } from "../api/fetch-records.js";
import type { RecordedToolCall } from "../model/call-changes.js";
import type { LineCount } from "./line-counts.js";

type ToolCall = Extract<MessagePart, { type: "call" }>;

/** A tool call that came to its end, without an error. */
export interface DoneCall {
  readonly part: ToolCall;
  /** Facts of the event that ended it, if the trace has been read that far. It may describe more of the change than the call's input. */
  readonly ended: EventFacts | undefined;
  /** Returns the event that ended it; `{}` if there is no such event. */
  end(): JsonObject;
}

interface KnownCount extends Pick<DoneCall, "ended"> {
  readonly count: LineCount | undefined;
}

/** Time for reading edits between two turns of the event loop. */
const SLICE_MS = 8;

const PATCH = "*** Begin Patch";
const NAMES = ["old_string", "oldString", "old_str", "edits", "content", "file_text"];

/**
 * Counts the lines that the edits of a conversation added and removed. Each edit is read once. The code that reads them is loaded with
 * the first edit.
 */
export class MessageEdits {
  readonly #known = new WeakMap<ToolCall, KnownCount>();
  #read: ((call: RecordedToolCall) => LineCount | undefined) | undefined;

  /** Prepares counting the edits of some calls. If the code cannot be loaded, they have no counts; the next call tries again. */
  async prepare(calls: Iterable<DoneCall>): Promise<void> {
    if (this.#read !== undefined) return;
    for (const { part } of calls) {
      if (!mayChange(part.input)) continue;
      const loaded = await import("../model/call-changes.js").catch(() => undefined);
      if (loaded === undefined) return;
      this.#read = (call) => {
        const changes = loaded.callChanges(call);
        return changes && lineCounts(changes.files);
      };
      return;
    }
  }

  /** @returns `undefined` for what changed no file, and before `prepare` */
  count({ part, ended, end }: DoneCall): LineCount | undefined {
    const known = this.#known.get(part);
    if (known !== undefined && known.ended === ended) return known.count;
    const asked = mayChange(part.input);
    if (asked && this.#read === undefined) return undefined;
    const count = asked ? this.#read?.({ name: part.name, input: part.input, end: end() }) : undefined;
    this.#known.set(part, { ended, count });
    return count;
  }

  /** Adds up the counts of groups of calls, a slice at a time. @returns a sum a group, `undefined` for one without an edit */
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

/** True if an input may be a file change, by a cheap test. */
function mayChange(input: unknown): boolean {
  if (typeof input === "string") return input.includes(PATCH);
  if (!isJsonObject(input)) return false;
  return Object.entries(input).some(([name, value]) => {
    const text = Array.isArray(value) ? value.at(-1) : value;
    return NAMES.includes(name) || (typeof text === "string" && text.includes(PATCH));
  });
}
