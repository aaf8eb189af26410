import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { imageKindOf } from "../images/image-kind.js";

export interface EncodedRun {
  readonly start: number;
  readonly end: number;
  readonly code: string;
  readonly encoding: "base64" | "hex";
}

export type DecodedRun =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "opaque" }
  | undefined;

/** Shorter runs encode less than any rule matches. */
const SHORTEST_RUN = 16;
/** Shorter unreadable runs are IDs and hashes. */
const SHORTEST_OPAQUE = 200;
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}(?:(?:\r?\n|(?:\\+r)?\\+n)[A-Za-z0-9+/_-]+)*={0,2}/g;
const LINE_BREAK = /\r?\n|(?<!\\)(?:\\+r)?\\+n/g;
const HEX = /^(?:[0-9a-f]{2})+$|^(?:[0-9A-F]{2})+$/;
const HEX_INSIDE = /(?:[0-9a-f]{2}){8,}|(?:[0-9A-F]{2}){8,}/g;

export function* encodedRuns(text: string): Generator<EncodedRun, void> {
  if (text.length < SHORTEST_RUN) return;
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    if (run.includes("\n") || run.includes("\\")) yield* runsOfLines(run, start);
    else yield* runsOfLine(run, start);
  }
}

/** MIME and PEM write lines of one length. Other lines are a run each. */
function* runsOfLines(run: string, from: number): Generator<EncodedRun, void> {
  const lines: { start: number; text: string }[] = [];
  let at = 0;
  for (const { 0: lineBreak, index } of run.matchAll(LINE_BREAK)) {
    lines.push({ start: from + at, text: run.slice(at, index) });
    at = index + lineBreak.length;
  }
  lines.push({ start: from + at, text: run.slice(at) });
  for (let i = 0; i < lines.length; ) {
    const { length } = lines[i]!.text;
    let next = i + 1;
    while (length >= 40 && lines[next]?.text.length === length) next++;
    if (length >= 40 && next < lines.length && lines[next]!.text.length < length) next++;
    const together = lines.slice(i, next);
    const last = together[together.length - 1]!;
    if (together.length === 1) yield* runsOfLine(last.text, last.start);
    else {
      const code = together.map(({ text }) => text).join("");
      yield { start: together[0]!.start, end: last.start + last.text.length, code, encoding: "base64" };
    }
    i = next;
  }
}

function* runsOfLine(run: string, start: number): Generator<EncodedRun, void> {
  if (HEX.test(run)) {
    yield { start, end: start + run.length, code: run, encoding: "hex" };
    return;
  }
  for (const { 0: code, index } of run.matchAll(HEX_INSIDE)) {
    yield { start: start + index, end: start + index + code.length, code, encoding: "hex" };
  }
  if (run.length >= SHORTEST_RUN) yield { start, end: start + run.length, code: run, encoding: "base64" };
}

/** @returns `undefined` for an id, a path and the like */
export function decodeRun({ code, encoding }: EncodedRun): DecodedRun {
  const start = Buffer.from(code.slice(0, 64), encoding);
  if (encoding === "base64" && imageKindOf(start) !== undefined) return { kind: "image" };
  if (mayBeginText(start)) {
    const decoded = validText(Buffer.from(code, encoding));
    if (decoded !== undefined) return { kind: "text", text: decoded };
  }
  const parts: string[] = [];
  // Preceding text may use the alphabet, so that the code begins up to three characters later.
  for (let skipped = 0; skipped < (encoding === "base64" ? 4 : 1); skipped++) {
    const { share, longest } = encoding === "base64" ? readableOf(code, skipped) : { share: 0, longest: 8 };
    if (share < 0.9 && longest < SHORTEST_TEXT) continue;
    const bytes = Buffer.from(code.slice(skipped), encoding);
    const readable = bytes.toString("latin1").match(/[\t\n\r\x20-\x7e]{8,}/g) ?? [];
    if (share >= 0.9) return { kind: "text", text: readable.join("\n") };
    parts.push(...readable);
  }
  if (code.length >= SHORTEST_OPAQUE && looksEncoded(code, encoding)) return { kind: "opaque" };
  return parts.length > 0 ? { kind: "text", text: parts.join("\n") } : undefined;
}

const SHORTEST_TEXT = 8;
const SIX_BITS = new Uint8Array(128);
for (const [bits, char] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  SIX_BITS[char.charCodeAt(0)] = bits;
}
SIX_BITS["-".charCodeAt(0)] = 62;
SIX_BITS["_".charCodeAt(0)] = 63;

/** Counts ASCII bytes without decoding the run, because most runs are words and paths. */
function readableOf(code: string, skipped: number): { readonly share: number; readonly longest: number } {
  let [all, readable, row, longest] = [0, 0, 0, 0];
  for (let i = skipped; i + 3 < code.length; i += 4) {
    const bits =
      (SIX_BITS[code.charCodeAt(i)]! << 18) |
      (SIX_BITS[code.charCodeAt(i + 1)]! << 12) |
      (SIX_BITS[code.charCodeAt(i + 2)]! << 6) |
      SIX_BITS[code.charCodeAt(i + 3)]!;
    for (let shift = 16; shift >= 0; shift -= 8) {
      const byte = (bits >> shift) & 255;
      all++;
      if ((byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13) {
        readable++;
        row++;
        if (row > longest) longest = row;
      } else row = 0;
    }
  }
  return { share: all === 0 ? 0 : readable / all, longest };
}

function mayBeginText(bytes: Buffer): boolean {
  return isUtf16(bytes) || (!hasControl(bytes) && withoutTornEnd(bytes) !== undefined);
}

const isUtf16 = (bytes: Buffer) =>
  bytes.length > 8 && bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0;

const hasControl = (bytes: Buffer) => bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32));

/** `undefined` if the bytes are not UTF-8. */
function withoutTornEnd(bytes: Buffer): Buffer | undefined {
  for (let torn = 0; torn < 4; torn++) {
    const own = bytes.subarray(0, Math.max(0, bytes.length - torn));
    if (isUtf8(own)) return own;
  }
  return undefined;
}

/** `undefined` unless all bytes are UTF-8 or UTF-16 text. */
function validText(bytes: Buffer): string | undefined {
  if (isUtf16(bytes)) return bytes.toString("utf16le");
  return hasControl(bytes) ? undefined : withoutTornEnd(bytes)?.toString("utf8");
}

/** Distinguishes code from paths and names: it contains all classes of characters with about random frequencies. */
function looksEncoded(code: string, encoding: EncodedRun["encoding"]): boolean {
  if (encoding === "hex") return new Set(code).size > 8;
  const start = code.slice(0, 1_000);
  const share = (sort: RegExp) => (start.match(sort)?.length ?? 0) / start.length;
  return share(/[-_+/]/g) < 0.12 && share(/\d/g) > 0.03 && share(/[A-Z]/g) > 0.1 && share(/[a-z]/g) > 0.1;
}

export function digestOf({ code }: EncodedRun): string {
  return createHash("sha256").update(code).digest("base64");
}
