// Changes a file in a loop: `<way> <format> <file> <outside>`. It ends with its parent process.
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";

const [way, format, file, outside] = process.argv.slice(2);

const LAST = "the same end of both ".repeat(20);

const RECORDS = {
  "data-directory": (i, content) => ({
    role: "user",
    content,
    traceId: "t",
    sequence: i,
    timestamp: new Date(i * 1_000).toISOString(),
    event: { type: "text" },
  }),
  "claude-code": (i, content) => ({
    type: "user",
    uuid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    timestamp: new Date(i * 1_000).toISOString(),
    message: { role: "user", content },
  }),
};

function textOf(count, length, letter) {
  const contents = Array.from({ length: count }, (_, i) => letter.repeat(length + (i % 50)));
  const records = [...contents, LAST].map((content, i) => JSON.stringify(RECORDS[format](i, content)));
  return `${records.join("\n")}\n`;
}

const texts = [textOf(300, 60, "a"), textOf(420, 97, "b"), textOf(2_500, 140, "c")];
for (const [i, text] of texts.entries()) writeFileSync(`${file}.text${i}`, text);
let turn = 0;

const WAYS = {
  copied: (i) => copyFileSync(`${file}.text${i}`, file),
  renamed(i) {
    copyFileSync(`${file}.text${i}`, `${file}.next`);
    renameSync(`${file}.next`, file);
  },
  cut(i) {
    writeFileSync(file, texts[i]);
    truncateSync(file, Math.floor(texts[i].length / 3));
  },
  deleted(i) {
    rmSync(file, { force: true });
    writeFileSync(file, texts[i]);
  },
  rewritten(i) {
    const descriptor = openSync(file, "r+");
    writeSync(descriptor, texts[i]);
    ftruncateSync(descriptor, Buffer.byteLength(texts[i]));
    closeSync(descriptor);
  },
  linked() {
    renameSync(file, `${file}.away`);
    symlinkSync(outside, file);
    unlinkSync(file);
    renameSync(`${file}.away`, file);
  },
};

function change() {
  for (let i = 0; i < (way === "linked" ? 20 : 1); i++) WAYS[way](turn++ % texts.length);
  setTimeout(change, turn % 3);
}

process.on("disconnect", () => process.exit());
change();
