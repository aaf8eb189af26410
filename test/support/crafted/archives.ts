import { writeFileSync } from "node:fs";
import path from "node:path";
import { about, archive, log, sample } from "../../inspect/support/logs.js";
import type { CraftedFolder } from "./crafted-folder.js";

function aliases(size: number, place: number): Buffer {
  const bytes = archive([
    ["samples/a_epoch_1.json", sample("a", [])],
    ["header.json", about()],
  ]);
  const from = bytes.readUInt32LE(bytes.length - 6);
  const directory = bytes.subarray(from, bytes.length - 22);
  const end = Buffer.from(bytes.subarray(bytes.length - 22));
  const entries = Array.from({ length: size }, (_, i) => {
    const name = Buffer.from(`samples/b${i}_epoch_1.json`);
    const entry = Buffer.from(directory.subarray(0, 46));
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(place, 42);
    return Buffer.concat([entry, name]);
  });
  const all = Buffer.concat([directory, ...entries]);
  end.writeUInt32LE(all.length, 12);
  return Buffer.concat([bytes.subarray(0, from), all, end]);
}

const write = (folder: string, name: string, bytes: Buffer) => writeFileSync(path.join(folder, name), bytes);

export const CRAFTED_ARCHIVES: readonly CraftedFolder[] = [
  {
    name: "logs with large headers",
    format: "inspect",
    plant: (folder, size) => {
      const bytes = log([sample("a", [])], {
        results: { scores: Array.from({ length: size }, (_, i) => ({ i })) },
        reductions: "x".repeat(size),
      });
      for (let i = 0; i < 60; i++) write(folder, `crafted-${i}.eval`, bytes);
    },
    sizes: [200, 200_000],
  },
  {
    name: "a log whose samples share bytes",
    format: "inspect",
    plant: (folder, size) => write(folder, "crafted.eval", aliases(size, 0)),
    sizes: [1_000, 500_000],
    warning: /its members share bytes|has more than 100000 members/,
  },
  {
    name: "a log whose samples lie outside of it",
    format: "inspect",
    plant: (folder, size) => write(folder, "crafted.eval", aliases(size, 0x7fffffff)),
    sizes: [1_000, 500_000],
    warning: /samples that lie outside of it|share bytes|has more than 100000 members/,
  },
  {
    name: "a log with a sample of zeros",
    format: "inspect",
    plant: (folder, size) =>
      write(folder, "crafted.eval", log([sample("a", [], { note: "0".repeat(size) })])),
    sizes: [1_000_000, 400_000_000],
  },
];
