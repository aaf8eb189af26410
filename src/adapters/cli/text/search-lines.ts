import { styleText } from "node:util";
import type { SearchAnswer } from "../../../application/search/search-answer.js";
import type { SearchHit } from "../../../domain/search/search-hit.js";
import { ABSENT, formatBytes } from "../../../domain/text/figures.js";
import { visibleJson, visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { sessionName } from "./session-names.js";
import type { Terminal } from "./terminal.js";
import { redrawn } from "./text.js";

export class SearchProgress {
  readonly #stderr: Terminal["stderr"];
  readonly #notes = new Set<string>();

  constructor({ stderr }: Terminal) {
    this.#stderr = stderr;
  }

  hide(): void {
    if (this.#stderr.isTTY) this.#stderr.write(redrawn(""));
  }

  show(answer: Pick<SearchAnswer, "searched" | "total" | "notes" | "nextCursor">): void {
    for (const note of answer.notes ?? []) {
      if (!this.#notes.has(note)) this.#stderr.write(`${visibleText(note)}\n`);
      this.#notes.add(note);
    }
    if (answer.nextCursor !== null && this.#stderr.isTTY)
      this.#stderr.write(redrawn(progressText(answer), this.#stderr.columns));
  }
}

function progressText({ searched, total }: Pick<SearchAnswer, "searched" | "total">): string {
  const sessions = `${searched.sessions ?? 0} of ${total.sessions ?? "?"} sessions`;
  if (searched.bytes === undefined || total.bytes === undefined) return `Searched ${sessions}`;
  return `Searched ${sessions}, ${formatBytes(searched.bytes)} of ${formatBytes(total.bytes)}`;
}

export const PLAIN = {
  faint: (text: string) => text,
  kind: (text: string) => text,
  match: (text: string) => `»${text}«`,
};

const COLOURS: typeof PLAIN = {
  faint: (text) => styleText("dim", text),
  kind: (text) => styleText("cyan", text),
  match: (text) => styleText(["bold", "red"], text),
};

export function styleOf({ stdout }: Terminal): typeof PLAIN {
  return stdout.isTTY && !process.env.NO_COLOR ? COLOURS : PLAIN;
}

export function hitLine(hit: SearchHit, style: typeof PLAIN): string {
  return `${style.faint(sessionName(hit))}  ${hitText(hit, style)}\n`;
}

export function hitText({ timestamp, toolName, snippet, ...hit }: SearchHit, style: typeof PLAIN): string {
  const { text, start, end } = snippet;
  const part = (from: number, to?: number) => visibleText(text.slice(from, to));
  const fields = [
    style.faint(visibleText(plausibleTime(timestamp) ?? ABSENT)),
    style.kind(toolName === undefined ? hit.in : `${hit.in} ${visibleText(toolName)}`),
    part(0, start) + style.match(part(start, end)) + part(end),
  ];
  return fields.join("  ");
}

export function hitJson(hit: SearchHit): string {
  return `${visibleJson(JSON.stringify(hit))}\n`;
}
