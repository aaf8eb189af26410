import { NO_USAGE, type TokenUsage } from "../../domain/session.js";

/** One message of the API, however many lines it was written as. */
export interface ModelCall {
  readonly thread: number;
  /** The id that the API gave its message; of a message without one, an id made of its line. */
  readonly callId: string;
  readonly hasMessageId: boolean;
  usage: TokenUsage;
}

/** The model calls of a file. */
export class ModelCalls {
  readonly list: ModelCall[] = [];
  readonly #ordinals = new Map<string, number>();

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    return this.list.length * 260;
  }

  find(key: string): number | undefined {
    return this.#ordinals.get(key);
  }

  /** @returns the number of the new call */
  add(key: string, call: Omit<ModelCall, "usage">): number {
    const ordinal = this.list.push({ ...call, usage: NO_USAGE }) - 1;
    this.#ordinals.set(key, ordinal);
    return ordinal;
  }

  /** Every line of a message repeats its usage, the last one with all of its output: the largest output counts. */
  count(ordinal: number, usage: TokenUsage): void {
    const call = this.list[ordinal]!;
    if (call.usage === NO_USAGE || usage.outputTokens > call.usage.outputTokens) call.usage = usage;
  }
}
