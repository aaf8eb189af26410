import { InvalidArgumentError } from "commander";
import { MAX_LIMIT } from "../../application/questions/window.js";
import { CONTENT_KINDS, type ContentKind } from "../../domain/search/search-query.js";

/** Only collects them: an error that is thrown here would show what was given. */
export function addHeaders(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(/\r?\n/).filter((line) => line.trim() !== "")];
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

export function parseKinds(text: string): ContentKind[] {
  return text.split(",").map((name) => {
    const kind = CONTENT_KINDS.find((known) => known === name);
    if (kind === undefined) throw new InvalidArgumentError(`Kinds are ${CONTENT_KINDS.join(", ")}.`);
    return kind;
  });
}

export function parsePage(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new InvalidArgumentError(`A limit is a number from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}

export function parseHits(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new InvalidArgumentError("A limit is a number from 1 up.");
  return limit;
}
