import { randomBytes } from "node:crypto";
import { type AnswerText, MOST_CHARACTERS, type ToolAnswer } from "./answer.js";
import { type Cell, instantIn, Name, Own } from "./own-words.js";
import { FENCE, quotedText } from "./quotation.js";
import type { NameKind } from "./registered-names.js";
import { fitted, SHORTEST } from "./shorten.js";
import type { StandIns } from "./stand-ins.js";

export interface Rendering {
  /** Replaces names if no text of a history may be displayed. */
  readonly standIns?: StandIns | undefined;
  readonly nonce?: () => string;
}

/** Lengths for free texts in a table, in characters. The first that makes an answer short enough applies. */
const LENGTHS = [400, 200, 100, 60, 30] as const;
/** Limits the text that a name can carry. */
const LONGEST_NAME = 80;
const LONGEST: { readonly [Kind in NameKind]?: number } = { file: 160, note: 200, project: 160, source: 160 };

const MOST_DRAWS = 10;

/**
 * Text outside of fences cannot come from a history: figures, instants, own words, listed names. A part with any other content is
 * completely in a fence, with its texts in double quotes as in JSON, so nothing in it can end its quotes or the fence.
 */
export function renderAnswer(answer: ToolAnswer, { standIns, nonce = drawNonce }: Rendering = {}): string {
  const blocks = bounded(answer, standIns);
  const quoted = blocks.flatMap(({ text, isQuoted }) => (isQuoted ? [text.toLowerCase()] : []));
  const drawn = unguessed(quoted, nonce);
  const opening = `<${FENCE}${drawn} ${answer.of.text}>`;
  const closing = `</${FENCE}${drawn}>`;
  const lines: string[] = [];
  for (const [i, { text, isQuoted, isAlone }] of blocks.entries()) {
    const before = blocks[i - 1];
    const isNew = isAlone || !before?.isQuoted || before.isAlone;
    if (isQuoted && isNew) lines.push(opening);
    lines.push(text);
    const behind = blocks[i + 1];
    if (isQuoted && (isAlone || !behind?.isQuoted || behind.isAlone)) lines.push(closing);
  }
  return lines.join("\n");
}

function drawNonce(): string {
  return randomBytes(8).toString("hex");
}

/** @throws Error if every drawn nonce occurs in a text */
function unguessed(texts: readonly string[], draw: () => string): string {
  for (let i = 0; i < MOST_DRAWS; i++) {
    const nonce = draw();
    if (!texts.some((text) => text.includes(nonce))) return nonce;
  }
  throw new Error("Every nonce occurs in a text of the answer.");
}

interface Block {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly isAlone?: boolean;
}

interface Showing {
  readonly standIns: StandIns | undefined;
  readonly hasTexts: boolean;
  readonly longest: number;
}

function bounded({ parts, texts = false, of }: ToolAnswer, standIns: StandIns | undefined): readonly Block[] {
  const hasTexts = texts && standIns === undefined;
  const fences = parts.length * (2 * (FENCE.length + 20) + of.text.length);
  const recorded = parts.reduce((sum, part) => sum + (part.is === "records" ? part.rows.length : 0), 0);
  const room = MOST_CHARACTERS - fences - (hasTexts ? recorded * SHORTEST : 0);
  for (const longest of LENGTHS) {
    const showing = { standIns, hasTexts, longest };
    const lengthOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + text.length + 1, 0);
    const least = parts.map((part) => blockOf(part, showing, 0));
    const isLast = longest === LENGTHS.at(-1);
    if (lengthOf(least) > room && !isLast) continue;
    return parts.map((part, i) => {
      if (part.is !== "records") return least[i]!;
      return blockOf(part, showing, room + recorded * SHORTEST - lengthOf(least));
    });
  }
  return [];
}

function blockOf(part: AnswerText, showing: Showing, room: number): Block {
  switch (part.is) {
    case "line":
      return { text: part.words.text, isQuoted: false };
    case "fields": {
      const rendered = part.values.flatMap(([name, value]) => {
        if (value === undefined || value === null) return [];
        const { text, isQuoted } = renderedCell(value, showing);
        return [{ text: `${name}=${text}`, isQuoted }];
      });
      const text = [`${part.title.text}:`, ...rendered.map(({ text }) => text)].join(" ");
      return { text, isQuoted: rendered.some(({ isQuoted }) => isQuoted) };
    }
    case "table": {
      const title = part.title === undefined ? [] : [`${part.title.text}:`];
      if (part.rows.length === 0) return { text: [...title, "none"].join(" "), isQuoted: false };
      const rows = part.rows.map((cells) => renderedRow(cells, showing));
      const text = [...title, part.columns.join(" "), ...rows.map(({ text }) => text)].join("\n");
      return { text, isQuoted: rows.some(({ isQuoted }) => isQuoted) };
    }
    case "records":
      return recordsBlock(part, showing, room);
    case "json":
      // A safeguard: texts that may not be displayed are not even requested.
      if (!showing.hasTexts) return { text: `[${part.text.length} characters]`, isQuoted: false };
      return { text: part.text, isQuoted: true, isAlone: true };
    default:
      return part satisfies never;
  }
}

function recordsBlock(
  { columns, rows, complete }: AnswerText & { is: "records" },
  showing: Showing,
  room: number,
): Block {
  if (rows.length === 0) return { text: "none", isQuoted: false };
  const rendered = rows.map(({ cells }) => renderedRow(cells, showing));
  const head = columns.join(" ");
  if (!showing.hasTexts) {
    const lines = rendered.map(({ text }, i) => `${text} [${rows[i]!.value.length} characters]`);
    return { text: [head, ...lines].join("\n"), isQuoted: rendered.some(({ isQuoted }) => isQuoted) };
  }
  const note = `What ends with …[+n …] was cut. ${complete.text}`;
  const values = rows.map(({ value }) => value);
  const texts = room === 0 ? values.map(() => "") : fitted(values, Math.max(room - note.length, 0));
  const isCut = room > 0 && texts.some((text, i) => text.length < values[i]!.length);
  const lines = rendered.map(({ text }, i) => `${text} ${texts[i]}`);
  return { text: [...(isCut ? [note] : []), head, ...lines].join("\n"), isQuoted: true };
}

function renderedRow(cells: readonly Cell[], showing: Showing): Block {
  const rendered = cells.map((cell) => renderedCell(cell, showing));
  return {
    text: rendered.map(({ text }) => text).join(" "),
    isQuoted: rendered.some(({ isQuoted }) => isQuoted),
  };
}

const ABSENT: Block = { text: "-", isQuoted: false };

function renderedCell(cell: Cell, { standIns, hasTexts, longest }: Showing): Block {
  if (cell === undefined || cell === null) return ABSENT;
  if (typeof cell === "number") return { text: numberText(cell), isQuoted: false };
  if (typeof cell === "boolean") return { text: cell ? "yes" : "no", isQuoted: false };
  if (cell instanceof Own) return { text: cell.text, isQuoted: false };
  if (cell instanceof Name) {
    if (cell.isRegistered) return { text: cell.text, isQuoted: false };
    if (standIns !== undefined) return { text: standIns.of(cell).text, isQuoted: false };
    return { text: quotedText(cell.text, LONGEST[cell.kind] ?? LONGEST_NAME), isQuoted: true };
  }
  const instant = instantIn(String(cell));
  if (instant !== undefined) return { text: instant, isQuoted: false };
  if (!hasTexts) return { text: `[${String(cell).length} characters]`, isQuoted: false };
  return { text: quotedText(String(cell), longest), isQuoted: true };
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));
}
