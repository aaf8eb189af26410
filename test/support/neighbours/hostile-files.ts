import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { sized } from "../soak.js";

/** Replaces a file of records, with those records as input. */
export interface HostileFile {
  readonly name: string;
  readonly reason: string;
  make(file: string, records: readonly string[]): void;
}

const BYTES = sized(200_000, 20_000_000);

const joined = (records: readonly string[]) => records.map((record) => `${record}\n`).join("");

function bytes(
  name: string,
  reason: string,
  of: (records: readonly string[]) => string | Uint8Array,
): HostileFile {
  return { name, reason, make: (file, records) => writeFileSync(file, of(records)) };
}

const BYTES_OF_FILES = [
  bytes(
    "a mark of byte order in front",
    "the first record is no JSON with it",
    (all) => `\ufeff${joined(all)}`,
  ),
  bytes("UTF-16", "its line feeds have a byte more", (all) => Buffer.from(joined(all), "utf16le")),
  bytes("bytes that are no UTF-8", "texts are decoded", (all) =>
    Buffer.concat(
      all.flatMap((one) => [
        Buffer.from(one.slice(0, -9)),
        Buffer.of(0xff, 0xc3, 0x28),
        Buffer.from(`${one.slice(-9)}\n`),
      ]),
    ),
  ),
  bytes("NUL bytes between the lines", "a power failure leaves them", (all) =>
    all.join(`\n${"\0".repeat(5_000)}\n`),
  ),
  bytes("blank lines", "no line is a record", (all) => `\n\n  \r\n${all.join("\r\n\t\n")}\n\n`),
  bytes("carriage returns alone", "lines end otherwise", (all) => all.join("\r")),
  bytes("half a line at the end", "it is still being written", (all) => joined(all).slice(0, -20)),
  bytes("half of each line", "no line is JSON", (all) =>
    joined(all.map((one) => one.slice(0, one.length / 2))),
  ),
  bytes("all records in one line", "lines are records", (all) => all.join("")),
  bytes("records that are no objects", "members of them are asked for", (all) =>
    joined(["null", "1", '"x"', "[]", "[{}]", "true", "1e400", ...all, "null"]),
  ),
  bytes("each record twice", "ids are there twice", (all) => joined(all.flatMap((one) => [one, one]))),
  bytes("the records in the wrong order", "ends come before beginnings", (all) => joined(all.toReversed())),
  bytes("nothing", "there is no first record", () => ""),
  bytes("an opening brace", "the rest is still being written", () => "{"),
  bytes("nothing but opening braces", "JSON is parsed by functions that call themselves", () =>
    "{".repeat(BYTES / 10),
  ),
  bytes("nothing but line feeds", "each line is looked at", () => "\n".repeat(BYTES / 10)),
  bytes("packed bytes", "they are no text", (all) => gzipSync(joined(all))),
  bytes("a record that is one long text", "records are held in memory", (all) =>
    joined([...all, JSON.stringify({ x: "x".repeat(BYTES) })]),
  ),
];

const NO_FILES: readonly HostileFile[] = [
  {
    name: "a folder",
    reason: "it cannot be read as a file",
    make: (file) => mkdirSync(path.join(file, "sub"), { recursive: true }),
  },
  {
    name: "a pipe that nobody writes",
    reason: "who opens it waits for ever",
    make: (file) => execFileSync("mkfifo", [file]),
  },
  {
    name: "a link to itself",
    reason: "it is followed for ever",
    make: (file) => symlinkSync(path.basename(file), file),
  },
  {
    name: "a link to the folder that it lies in",
    reason: "it is followed for ever",
    make: (file) => symlinkSync(".", file),
  },
  {
    name: "a link to nothing",
    reason: "there is no such file",
    make: (file) => symlinkSync("no-such-file", file),
  },
  {
    name: "a link to an endless device",
    reason: "it is read for ever",
    make: (file) => symlinkSync("/dev/zero", file),
  },
  {
    name: "a link to another folder",
    reason: "it is none of the histories",
    make: (file) => symlinkSync("/etc/passwd", file),
  },
  {
    name: "a hole",
    reason: "a power failure leaves it",
    make(file, records) {
      writeFileSync(file, joined(records));
      truncateSync(file, BYTES);
    },
  },
];

export const HOSTILE_FILES: readonly HostileFile[] = [...BYTES_OF_FILES, ...NO_FILES];
