import { isJsonObject, type JsonObject } from "../json/json.js";
import { readEventFacts, toolInput } from "../spans/event-facts.js";
import { isRefusal } from "../trace/outcome.js";
import { type FileEdit, fileEditsOf } from "./file-edits.js";
import { baseName } from "./file-paths.js";

/** Plain data, for a thread. */
export interface RecordedEdit {
  /** Of the first envelope of the call. */
  readonly id: string;
  readonly sequence: number;
  /** End of the call, in milliseconds since the epoch. */
  readonly at: number;
  readonly tool: string;
  /** `""` for the main agent. */
  readonly agentId: string;
  readonly edit: FileEdit;
}

interface OpenCall {
  readonly id: string;
  readonly sequence: number;
  readonly tool: string;
  readonly agentId: string;
  readonly input: unknown;
}

/** Edits of files with certain names. Pass the envelopes in their order. */
export class EditsOfNames {
  readonly #names: ReadonlySet<string>;
  readonly #open = new Map<string, OpenCall>();
  readonly edits: RecordedEdit[] = [];

  /** @param names without folders */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  get open(): Iterable<string> {
    return this.#open.keys();
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  add(envelope: JsonObject, index: number, previousAt: number): number {
    const { event } = envelope;
    const facts = readEventFacts(envelope, index, previousAt);
    const { kind, phase, key, id, sequence, at, name: tool = "", agentId = "" } = facts;
    if (kind !== "tool" || key === undefined || !isJsonObject(event)) return at;
    if (phase === "start") {
      this.#open.set(key, { id, sequence, tool, agentId, input: toolInput(event) });
    } else if (phase === "end") {
      const call = this.#open.get(key);
      this.#open.delete(key);
      if (call !== undefined && facts.error === undefined && !isRefusal(event)) this.#end(call, event, at);
    }
    return at;
  }

  #end({ input, ...call }: OpenCall, end: JsonObject, at: number): void {
    for (const edit of fileEditsOf(call.tool, input, end)) {
      const isNamed = [edit.path, edit.movedTo ?? ""].some((path) => this.#names.has(baseName(path)));
      if (isNamed) this.edits.push({ ...call, at, edit });
    }
  }
}
