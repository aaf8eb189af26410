import { lineCounts } from "../../../../src/domain/changes/file-change.js";
import type { EventFacts } from "../../../../src/domain/spans/event-facts.js";
import { type Span, spanError } from "../../../../src/domain/spans/span.js";
import type { RecordedToolCall } from "../../model/changes/call-changes.js";

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

const CHANGES = /"(old_string|oldString|old_str|edits|content|file_text)":|\*\*\* Begin Patch/;

/** Reads each edit once, when its row is displayed. The first edit loads the code for this. */
export class LineCounts {
  readonly #counts = new WeakMap<EventFacts, { readonly count: LineCount | undefined }>();
  readonly #onLoad: () => void;
  #read: ((call: RecordedToolCall) => LineCount | undefined) | undefined;
  #loading = false;

  /** @param onLoad called when counts become available */
  constructor(onLoad: () => void) {
    this.#onLoad = onLoad;
  }

  /**
   * @param envelope of the call's start, as JSON text
   * @returns `undefined` if no file changed, and until the code is loaded
   */
  of(span: Span, envelope: string, call: () => RecordedToolCall | undefined): LineCount | undefined {
    if (span.kind !== "tool" || span.end === undefined || spanError(span) !== undefined) return undefined;
    const cached = this.#counts.get(span.end);
    if (cached !== undefined) return cached.count;
    const mayChange = CHANGES.test(envelope);
    if (mayChange && this.#read === undefined) {
      this.#load();
      return undefined;
    }
    const change = mayChange ? call() : undefined;
    const count = change && this.#read?.(change);
    this.#counts.set(span.end, { count });
    return count;
  }

  #load(): void {
    if (this.#loading) return;
    this.#loading = true;
    import("../../model/changes/call-changes.js").then(
      ({ callChanges }) => {
        this.#read = (call) => {
          const changes = callChanges(call);
          return changes && lineCounts(changes.files);
        };
        this.#onLoad();
      },
      // The service is away. The next row asks again.
      () => {
        this.#loading = false;
      },
    );
  }
}
