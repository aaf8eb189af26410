/** Tokens of the results of one tool in a context: those that no call has read yet, and those that one has. */
interface HeldTokens {
  fresh: number;
  carried: number;
}

/** Tokens of one tool's results that a call read: for the first time, and again. */
export interface ReadTokens {
  readonly first: number;
  readonly again: number;
}

/** Tool results in the context of one conversation. Results that a rewind removed still count: they are rare and small. */
export class HeldResults<Tool> {
  readonly #held = new Map<Tool, HeldTokens>();

  add(tool: Tool, tokens: number): void {
    const held = this.#held.get(tool);
    if (held === undefined) this.#held.set(tool, { fresh: tokens, carried: 0 });
    else held.fresh += tokens;
  }

  /** A model call reads all of it. */
  read(take: (tool: Tool, tokens: ReadTokens) => void): void {
    for (const [tool, held] of this.#held) {
      take(tool, { first: held.fresh, again: held.carried });
      held.carried += held.fresh;
      held.fresh = 0;
    }
  }

  /** The context is summed up: results are no part of it any more. */
  compact(): void {
    this.#held.clear();
  }
}
