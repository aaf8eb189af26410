import { createHash } from "node:crypto";
import { type Name, type Own, own } from "./own-words.js";
import type { NameKind } from "./registered-names.js";

const MOST_NAMES = 10_000;

const KINDS: { readonly [Kind in NameKind]: Own } = {
  agent: own`agent`,
  event: own`event`,
  file: own`file`,
  label: own`label`,
  model: own`model`,
  note: own`note`,
  project: own`project`,
  role: own`role`,
  session: own`session`,
  source: own`source`,
  tenant: own`tenant`,
  tool: own`tool`,
  user: own`user`,
};

/** Placeholders for names, such as `[tool 3]`. A name retains its placeholder as long as the server runs. */
export class StandIns {
  readonly #numbers = new Map<string, number>();
  readonly #counts = new Map<NameKind, number>();

  of({ kind, text }: Name): Own {
    const key = `${kind} ${createHash("sha256").update(text).digest("base64")}`;
    const existing = this.#numbers.get(key);
    if (existing !== undefined) return own`[${KINDS[kind]} ${existing}]`;
    if (this.#numbers.size >= MOST_NAMES) return own`[${KINDS[kind]}]`;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    this.#numbers.set(key, number);
    return own`[${KINDS[kind]} ${number}]`;
  }
}
