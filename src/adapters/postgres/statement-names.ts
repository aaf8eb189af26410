import { createHash } from "node:crypto";

/** How many statements are prepared on a connection at most. */
const MOST_PREPARED = 64;

/** The names under which statements are prepared, by their texts. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  #areKept = true;

  /** Only the first few texts get names: each prepared statement takes the server memory for each connection. */
  nameOf(text: string): string | undefined {
    if (!this.#areKept) return undefined;
    if (!this.#names.has(text) && this.#names.size < MOST_PREPARED)
      this.#names.set(text, statementName(text));
    return this.#names.get(text);
  }

  /** Gives no more names: something between here and the server loses the statements. */
  giveUp(): void {
    this.#areKept = false;
  }
}

/** The name of a statement, made of its text. It has a prefix that the host's own statements do not have. */
function statementName(text: string): string {
  return `agent_inspector_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}
