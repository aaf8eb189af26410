import {
  type ContextRemoval,
  type ConversationOutline,
  type MessageRun,
  VisibleMessages,
} from "../../../domain/conversation/conversation-outline.js";
import { firstWhere } from "../../../domain/lists/lists.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import type { FileBase } from "../folder/transcript-files.js";
import { movedRemoval, runsBesides } from "../recorder/message-places.js";
import type { SessionFile } from "./derived-file.js";

export function joinedOutline(files: readonly SessionFile[]): ConversationOutline {
  return new OutlineJoin(files).join();
}

class OutlineJoin {
  readonly #files: readonly SessionFile[];
  readonly #firsts: readonly number[];
  readonly #byPath: ReadonlyMap<string, number>;

  constructor(files: readonly SessionFile[]) {
    this.#files = files;
    const firsts = [0];
    for (const { derived } of files) firsts.push(firsts.at(-1)! + derived.messageStarts.length);
    this.#firsts = firsts;
    this.#byPath = new Map(files.map(({ path }, i) => [path, i]));
  }

  join(): ConversationOutline {
    const joined = this.#files.map((file, i) => ({
      calls: file.derived.outline.calls.map((call) => ({ ...call, at: call.at + this.#firsts[i]! })),
      removals: [...this.#beginningOf(i), ...this.#removalsOf(i)],
    }));
    return {
      calls: joined.flatMap(({ calls }) => calls),
      removals: joined.flatMap(({ removals }) => removals),
    };
  }

  #beginningOf(index: number): readonly ContextRemoval[] {
    const { base, derived } = this.#files[index]!;
    const at = this.#firsts[index]!;
    if (base === undefined || at === 0 || !this.#byPath.has(base.path)) return [];
    const restored = this.#visibleAt(base, index);
    const messages = runsBesides(restored, at);
    if (messages.length === 0) return [];
    const instant = derived.conversations[0]?.firstInstant;
    const timestamp = instant === undefined ? {} : { timestamp: formatInstant(instant) };
    return [{ at, cause: "rewind", ...timestamp, messages, restored }];
  }

  #visibleAt({ path, end }: FileBase, before: number): readonly MessageRun[] {
    const index = this.#byPath.get(path);
    if (index === undefined || index >= before) return [];
    const first = this.#firsts[index]!;
    const { base, derived } = this.#files[index]!;
    const { messageStarts } = derived;
    const size = firstWhere(0, messageStarts.length, (i) => messageStarts[i]! >= end);
    const visible = new VisibleMessages();
    const restored = base === undefined ? [] : this.#visibleAt(base, index);
    if (base !== undefined) visible.apply({ at: first, cause: "rewind", messages: [[0, first]], restored });
    for (const removal of this.#removalsOf(index)) if (removal.at <= first + size) visible.apply(removal);
    return visible.runs.flatMap(([from, to]): MessageRun[] =>
      from < first + size ? [[from, Math.min(to, first + size)]] : [],
    );
  }

  #removalsOf(index: number): readonly ContextRemoval[] {
    const first = this.#firsts[index]!;
    const { removals } = this.#files[index]!.derived.outline;
    return removals.map((removal) => movedRemoval(removal, (place) => place + first));
  }
}
