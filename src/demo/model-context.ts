import type { TokenUsage } from "../domain/usage/token-usage.js";

export class ModelContext {
  readonly #systemTokens: number;
  #tokens: number;
  #cached = 0;

  constructor(systemTokens: number) {
    this.#systemTokens = systemTokens;
    this.#tokens = systemTokens;
  }

  get tokens(): number {
    return this.#tokens;
  }

  add(content: unknown): void {
    this.#tokens += tokensOf(content);
  }

  addTokens(tokens: number): void {
    this.#tokens += tokens;
  }

  /** A few new tokens are read, the rest goes through the cache. */
  call(content: unknown): TokenUsage {
    const inputTokens = Math.min(12, this.#tokens - this.#cached);
    const cacheReadTokens = this.#cached;
    const cacheWriteTokens = this.#tokens - this.#cached - inputTokens;
    this.#cached = this.#tokens;
    return { inputTokens, outputTokens: tokensOf(content), cacheReadTokens, cacheWriteTokens };
  }

  replace(content: unknown): void {
    this.#tokens = this.#systemTokens + tokensOf(content);
    this.#cached = this.#systemTokens;
  }
}

/** About four characters a token. */
function tokensOf(content: unknown): number {
  return Math.ceil((typeof content === "string" ? content : JSON.stringify(content)).length / 4);
}
