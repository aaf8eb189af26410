/**
 * Counts banned words of the glossary, long sentences and comments that begin with a question word, for each folder.
 * `test/words.test.ts` compares the counts with `scripts/words.json`, where they may only fall.
 *
 *   node scripts/check-words.mjs [--worst N] [--update] [FOLDER…]
 *
 *   --worst N  prints the first N violations of each kind, with their files and lines. Default is 20 if a folder is named.
 *   --update   lowers the counts in scripts/words.json to the current ones. A higher count stays, and is an error.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const ROOT = path.resolve(import.meta.dirname, "..");
const RATCHET = path.join(ROOT, "scripts/words.json");

const PARTICIPLES = new Set(
  "known found told tells kept keeps said asked given meant seen shown whole anew teller oddity glued".split(
    " ",
  ),
);
/** Standard terms that contain a participle. */
const TERMS = /\b(?:not ?found|well-known|given name)\b/gi;
const QUESTION = /^(?:What|Whether|Where|Which|How)\b/;
const PHRASES =
  /\b(?:is none|are none|(?:of|behind) which|in the place of|an own|(?:goes|go|went|going) on|so many|of (?:one|its|their)'?s? own|what is (?:known|kept|meant|asked|given|shown|seen))\b/gi;
const LONGEST_SENTENCE = 40;

export const KINDS = ["names", "comments", "phrases", "questions", "sentences", "messages"];

/** The innermost first. */
const FOLDERS = [
  "src/domain",
  "src/application",
  "src/recording",
  "src/client",
  "src/demo",
  "src/composition",
];

/**
 * @typedef {{ kind: string, file: string, line: number, text: string }} Violation
 * @typedef {{ identifiers: number, commentWords: number, violations: Violation[] }} Count
 */

/** @returns {string[]} paths from the root */
export function checkedFiles() {
  const roots = ["src", "ui/src", "test", "ui/test", "bench", "ui/bench", "examples", "scripts", "docs"];
  const files = roots.flatMap((root) =>
    readdirSync(path.join(ROOT, root), { recursive: true, encoding: "utf8" }).map(
      (name) => `${root}/${name.split(path.sep).join("/")}`,
    ),
  );
  const documents = readdirSync(ROOT).filter((name) => name.endsWith(".md"));
  return [...documents, ...files]
    .filter((file) => /\.(?:[cm]?tsx?|mjs|md)$/.test(file))
    .filter((file) => !/node_modules|\/dist\/|\/proto\/|\/fixtures\/|\/golden\/|RESULTS/.test(file))
    .sort();
}

/** @param {string} file */
export function folderOf(file) {
  const folder = FOLDERS.find((name) => file.startsWith(`${name}/`));
  if (folder !== undefined) return folder;
  const parts = file.split("/").slice(0, -1);
  if (file.startsWith("src/adapters/")) return parts.slice(0, 3).join("/");
  if (file.startsWith("ui/src/")) return parts.slice(0, 3).join("/");
  return parts.slice(0, parts[0] === "ui" ? 2 : 1).join("/") || ".";
}

/** @param {string} file @param {string} text @returns {Count} */
export function countFile(file, text) {
  return file.endsWith(".md") ? countDocument(file, text) : countSource(file, text);
}

/** @param {string} file @param {string} text @returns {Count} */
function countSource(file, text) {
  const { program, comments } = parseSync(file, text);
  /** @type {Violation[]} */
  const violations = [];
  const lines = lineStarts(text);
  const add = (kind, at, shown) => violations.push({ kind, file, line: lineAt(lines, at), text: shown });
  let identifiers = 0;
  const places = new Set();
  visit(program, (node) => {
    if (/^(?:Private|JSX)?Identifier$/.test(node.type)) {
      if (places.has(node.start)) return;
      places.add(node.start);
      identifiers += 1;
      if (hasParticiple(wordsOfName(node.name))) add("names", node.start, node.name);
    } else if (
      node.type === "TemplateElement" ||
      (node.type === "Literal" && typeof node.value === "string")
    ) {
      const message = node.type === "TemplateElement" ? (node.value.cooked ?? "") : node.value;
      if (/[a-z] [a-z]/.test(message) && !file.includes("test"))
        for (const word of participlesOf(message)) add("messages", node.start, `${word}: ${message.trim()}`);
    }
  });
  let commentWords = 0;
  for (const block of commentBlocks(text, comments)) {
    commentWords += countProse(block.text, (kind, shown) => add(kind, block.start, shown));
    if (QUESTION.test(block.text.trim())) add("questions", block.start, block.text.trim().slice(0, 100));
  }
  return { identifiers, commentWords, violations };
}

/** @param {string} file @param {string} text @returns {Count} */
function countDocument(file, text) {
  /** @type {Violation[]} */
  const violations = [];
  const prose = text
    .replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ""))
    .replace(/<!--[\s\S]*?-->/g, "");
  let commentWords = 0;
  let line = 1;
  for (const paragraph of prose.split(/\n(?=\s*\n|\s*[-*|#]|\s*\d+\.)/)) {
    const cells = /^\s*\|/.test(paragraph) ? paragraph.split("|") : [paragraph];
    for (const cell of cells)
      commentWords += countProse(
        cell.replace(/`[^`]*`/g, "`…`").replace(/\]\([^)]*\)/g, "]"),
        (kind, shown) => violations.push({ kind, file, line, text: shown }),
      );
    line += paragraph.split("\n").length;
  }
  return { identifiers: 0, commentWords, violations };
}

/** @param {string} text @param {(kind: string, shown: string) => void} add */
function countProse(text, add) {
  for (const word of participlesOf(text)) add("comments", word);
  for (const [phrase] of text.matchAll(PHRASES)) add("phrases", phrase);
  for (const sentence of text.split(/(?<=[.!?]["')`]?)\s+|\n\s*\n|\n\s*[-*]\s|(?=@[a-z]+\b)/)) {
    const words = sentence.match(/[\p{L}\p{N}][^\s]*/gu) ?? [];
    if (words.length > LONGEST_SENTENCE)
      add("sentences", `${words.length} words: ${sentence.trim().slice(0, 120)}`);
  }
  return (text.match(/[A-Za-z']+/g) ?? []).length;
}

/** Consecutive lines of `//` are one block. */
function commentBlocks(text, comments) {
  const blocks = [];
  for (const { type, value, start, end } of comments) {
    const last = blocks.at(-1);
    if (type === "Line" && last?.isLine && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(last.end, start))) {
      last.text += `\n${value}`;
      last.end = end;
    } else blocks.push({ isLine: type === "Line", text: value.replace(/^[^\S\n]*\*+ ?/gm, ""), start, end });
  }
  return blocks.filter(
    ({ text: comment }) => !/^[\s!]*(?:@ts-|biome-|eslint|v8 |#region|@__PURE__)/.test(comment),
  );
}

function participlesOf(text) {
  return (
    text
      .replace(TERMS, "")
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  ).filter((word) => PARTICIPLES.has(word));
}

function hasParticiple(words) {
  return words.some((word, at) => PARTICIPLES.has(word) && !(word === "found" && words[at - 1] === "not"));
}

/** `KnownCall` is `known` and `call`. @param {string} name */
function wordsOfName(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
}

function visit(node, each) {
  if (Array.isArray(node)) for (const part of node) visit(part, each);
  else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") each(node);
    for (const key in node) if (key !== "parent") visit(node[key], each);
  }
}

function lineStarts(text) {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function lineAt(starts, offset) {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @returns {{ rows: Record<string, Record<string, number>>, violations: Violation[] }} */
export function countAll() {
  /** @type {Record<string, Record<string, number>>} */
  const rows = {};
  /** @type {Violation[]} */
  const violations = [];
  for (const file of checkedFiles()) {
    const {
      identifiers,
      commentWords,
      violations: own,
    } = countFile(file, readFileSync(path.join(ROOT, file), "utf8"));
    const folder = folderOf(file);
    rows[folder] ??= {
      identifiers: 0,
      commentWords: 0,
      ...Object.fromEntries(KINDS.map((kind) => [kind, 0])),
    };
    const row = rows[folder];
    row.identifiers += identifiers;
    row.commentWords += commentWords;
    for (const { kind } of own) row[kind] += 1;
    violations.push(...own);
  }
  return { rows, violations };
}

/** Counts may only fall. @param {Record<string, Record<string, number>>} rows */
function writeRatchet(rows) {
  const before = existsSync(RATCHET) ? JSON.parse(readFileSync(RATCHET, "utf8")) : undefined;
  const lowered = Object.entries(rows)
    .sort()
    .map(([folder, row]) => [
      folder,
      Object.fromEntries(
        KINDS.map((kind) => [
          kind,
          Math.min(row[kind] ?? 0, before === undefined ? Infinity : (before[folder]?.[kind] ?? 0)),
        ]),
      ),
    ]);
  writeFileSync(RATCHET, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

/** @param {string[]} args */
function main(args) {
  const folders = args.filter((arg, at) => !arg.startsWith("--") && args[at - 1] !== "--worst");
  const worst = args.includes("--worst")
    ? Number(args[args.indexOf("--worst") + 1])
    : folders.length > 0
      ? 20
      : 0;
  const { rows, violations } = countAll();
  const isNamed = (file) => folders.length === 0 || folders.some((folder) => file.startsWith(folder));
  process.stdout.write(`${"".padEnd(34)}${KINDS.map((kind) => kind.padStart(10)).join("")}\n`);
  for (const [folder, row] of Object.entries(rows).sort())
    if (isNamed(folder) || folders.some((name) => name.startsWith(folder)))
      process.stdout.write(
        `${folder.padEnd(34)}${KINDS.map((kind) => String(row[kind]).padStart(10)).join("")}\n`,
      );
  for (const kind of KINDS)
    for (const { file, line, text } of violations
      .filter((one) => one.kind === kind && isNamed(one.file))
      .slice(0, worst))
      process.stdout.write(`${kind}  ${file}:${line}  ${text}\n`);
  if (args.includes("--update")) writeRatchet(rows);
}
