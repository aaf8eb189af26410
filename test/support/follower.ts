import { expect } from "vitest";
import type { Inspector } from "./inspector.js";

/** A client that polls a list for new records. */
export class Follower {
  /** JSON texts. */
  records: readonly string[] = [];
  /** Of the last answer: new records, and earlier ones that stay. */
  sent = 0;
  kept = 0;
  readonly #inspector: Inspector;
  readonly #path: string;
  readonly #member: string;
  #since = "";

  constructor(inspector: Inspector, path: string, member: string) {
    this.#inspector = inspector;
    this.#path = path;
    this.#member = member;
  }

  /** Polls once, and compares the records with the complete list. */
  async follow(): Promise<void> {
    const { status, body } = await this.#inspector.ask(`${this.#path}&since=${this.#since}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const sent = textsOf(body[this.#member]);
    const from = Number(body.from);
    expect(from).toBeLessThanOrEqual(this.records.length);
    const moved = body.moved as { from: number; count: number; to: number; sequence: number } | undefined;
    this.sent = sent.length;
    this.kept = from + (moved?.count ?? 0);
    this.records = [
      ...this.records.slice(0, from),
      ...sent.splice(0, (moved?.to ?? from) - from),
      ...this.#moved(moved),
      ...sent,
    ];
    this.#since = String(body.syncToken ?? "");
    const whole = await this.#inspector.ask(this.#path);
    expect(this.records).toEqual(textsOf(whole.body[this.#member]));
    expect(whole.body).not.toHaveProperty("syncToken");
  }

  #moved(moved = { from: 0, count: 0, sequence: 0 }): string[] {
    const { from, count, sequence } = moved;
    return this.records
      .slice(from, from + count)
      .map((record, i) => JSON.stringify({ ...JSON.parse(record), sequence: sequence + i }));
  }
}

function textsOf(records: unknown): string[] {
  return (records as unknown[]).map((record) => JSON.stringify(record));
}
