/** Effects of broken disks, broken writers, and attackers. */

type Random = () => number;

export interface Mutation {
  readonly name: string;
  apply(file: Buffer, random: Random): Buffer;
}

const LINE_FEED = 0x0a;

const FOREIGN_VALUES: readonly string[] = [
  "null",
  "true",
  "-1",
  "0.5",
  "1e308",
  "1e400",
  "9007199254740993",
  '""',
  '"__proto__"',
  '"\\ud800"',
  '"\\u0000"',
  '"05:0x1"',
  '"2026-01-04T05:0x1:15.022Z"',
  "[]",
  "[null]",
  "{}",
  '{"toString":1}',
  '{"__proto__":{"polluted":true}}',
  '{"length":4294967295}',
  `"${"long ".repeat(2_000)}"`,
];

export const MUTATIONS: readonly Mutation[] = [
  { name: "bits flipped", apply: (file, random) => flipBits(Buffer.from(file), random) },
  { name: "cut", apply: (file, random) => file.subarray(0, below(file.length, random)) },
  { name: "part missing", apply: (file, random) => replaced(file, random, Buffer.alloc(0), 200) },
  {
    name: "NUL bytes",
    apply: (file, random) => replaced(file, random, Buffer.alloc(below(5_000, random)), 20),
  },
  { name: "no UTF-8", apply: (file, random) => replaced(file, random, Buffer.from([0xff, 0xc3, 0x28]), 2) },
  { name: "line doubled", apply: (file, random) => lines(file, random, (line) => [line, line]) },
  { name: "line missing", apply: (file, random) => lines(file, random, () => []) },
  { name: "blank lines", apply: (file, random) => lines(file, random, (line) => ["", "   ", line, "\r"]) },
  { name: "lines joined", apply: (file, random) => joined(file, random) },
  { name: "nesting", apply: (file, random) => value(file, random, nested(below(6_000, random), random)) },
  {
    name: "foreign value",
    apply: (file, random) => value(file, random, FOREIGN_VALUES[below(FOREIGN_VALUES.length, random)]!),
  },
  { name: "name __proto__", apply: (file, random) => member(file, random, '"__proto__":{"type":"user"}') },
  { name: "name twice", apply: (file, random) => member(file, random, '"type":7,"sequence":"x","uuid":[]') },
  {
    name: "foreign line",
    apply: (file, random) => lines(file, random, (line) => [line, "[1,2]", "7", '"x"']),
  },
];

export function below(end: number, random: Random): number {
  return Math.floor(random() * end);
}

function flipBits(file: Buffer, random: Random): Buffer {
  if (file.length === 0) return file;
  for (let flips = 1 + below(8, random); flips > 0; flips--) {
    const at = below(file.length, random);
    file[at] = file[at]! ^ (1 << below(8, random));
  }
  return file;
}

/** Replaces up to `most` bytes. */
function replaced(file: Buffer, random: Random, bytes: Buffer, most: number): Buffer {
  const at = below(file.length + 1, random);
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at + below(most, random))]);
}

function lines(file: Buffer, random: Random, change: (line: string) => readonly string[]): Buffer {
  const all = file.toString("latin1").split("\n");
  const at = below(all.length, random);
  all.splice(at, 1, ...change(all[at]!));
  return Buffer.from(all.join("\n"), "latin1");
}

function joined(file: Buffer, random: Random): Buffer {
  const at = file.indexOf(LINE_FEED, below(file.length, random));
  return at === -1 ? file : Buffer.concat([file.subarray(0, at), file.subarray(at + 1)]);
}

function value(file: Buffer, random: Random, json: string): Buffer {
  const text = file.toString("latin1");
  const values = [...text.matchAll(/(?<=":)(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*)/g)];
  const chosen = values[below(values.length, random)];
  if (chosen === undefined) return file;
  return Buffer.from(
    text.slice(0, chosen.index) + json + text.slice(chosen.index + chosen[0].length),
    "latin1",
  );
}

function member(file: Buffer, random: Random, json: string): Buffer {
  const text = file.toString("latin1");
  const ends = [...text.matchAll(/(?<=[^{,\s])\}/g)];
  const chosen = ends[below(ends.length, random)];
  if (chosen === undefined) return file;
  return Buffer.from(`${text.slice(0, chosen.index)},${json}${text.slice(chosen.index)}`, "latin1");
}

function nested(depth: number, random: Random): string {
  const [open, close] = random() < 0.5 ? ["[", "]"] : ['{"a":', "}"];
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}
