/**
 * Builds the template of exported HTML files, `dist/exported/page.html`: the page, its worker, and the script that unpacks both, with
 * placeholders for the title and the archive.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import {
  escapeBytes,
  PACKED_BEGIN,
  PACKED_END,
  PACKED_MARK,
} from "../dist/src/adapters/archive/packed-text.js";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "dist/exported");
const configFile = path.join(root, "ui/vite.exported.config.ts");

for (const mode of ["loader", "worker", "page"]) await build({ configFile, mode, logLevel: "warn" });

const read = (name) => readFileSync(path.join(folder, name), "utf8");
const [loader, worker, page, style] = ["loader.js", "worker.js", "page.js", "style.css"].map(read);
// The page is read as windows-1252, and an end tag in the script would end it.
if (/[^\t\n -~]|<\/script|<!--/i.test(loader)) throw new Error("The loader cannot stand in a page as it is.");
const styles =
  "#opening{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}#opening h1{font-size:1.25rem}";
const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = [
  "default-src 'none'",
  `script-src ${digest(loader)} ${digest(page)}`,
  `style-src ${digest(styles)} ${digest(style)}`,
  "img-src data:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const pack = (text) => Buffer.from(escapeBytes(gzipSync(text, { level: 9 }))).toString("latin1");
const element = (id, packed) => `<script type="application/octet-stream" id="${id}">${packed}</script>`;
/** Replacements for the template's placeholders. The title and the archive stay placeholders. */
const parts = {
  "<!--mark-->": PACKED_MARK,
  "{policy}": policy,
  "<!--styles-->": `<style>${styles}</style>`,
  "<!--loader-->": `<script>${loader}</script>`,
  "<!--packed-->": [
    element("page", pack(page)),
    element("worker", pack(worker)),
    element("style", pack(style)),
    `${PACKED_BEGIN}{archive}${PACKED_END}`,
  ].join("\n"),
};
const template = readFileSync(path.join(root, "ui/exported.html"), "utf8");
rmSync(folder, { recursive: true });
mkdirSync(folder);
const html = Object.entries(parts).reduce((text, [place, part]) => {
  const [before, after, ...more] = text.split(place);
  if (after === undefined || more.length > 0) throw new Error(`The template has no one place ${place}.`);
  return before + part + after;
}, template);
writeFileSync(path.join(folder, "page.html"), html, "latin1");
