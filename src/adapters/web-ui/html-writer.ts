import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ArchiveLines, ExportWriter } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { ArchiveRecord } from "../../domain/archive/archive-record.js";
import { PACKED_CHARSET } from "../archive/packed-text.js";
import { packArchive } from "../archive-files/pack-archive.js";
import { packagedPage } from "./packaged-page.js";

/** Placeholders in the built page (`scripts/exported-page.mjs`). */
const TITLE = "{title}";
const ARCHIVE = "{archive}";

const LONGEST_TITLE = 200;

/** One HTML file with the inspector's page and the sessions, which opens from a disk and makes no request. */
export function htmlWriter(): ExportWriter {
  let page: Promise<string> | undefined;
  const readOnce = () => {
    page ??= readFile(exportedPage(), "latin1");
    page.catch(() => {
      page = undefined; // It may exist the next time.
    });
    return page;
  };
  return {
    mediaType: `text/html; charset=${PACKED_CHARSET}`,
    ending: ".html",
    write: (lines, options) => writePage(readOnce, lines, options),
  };
}

async function* writePage(
  readPage: () => Promise<string>,
  lines: ArchiveLines,
  options: ReadOptions | undefined,
): AsyncIterable<Uint8Array> {
  const [before = "", after = ""] = (await readPage()).split(ARCHIVE);
  const { title, complete } = await titleOf(lines);
  yield Buffer.from(
    before.replaceAll(TITLE, () => inAscii(title)),
    "latin1",
  );
  yield* packArchive(complete, options);
  yield Buffer.from(after, "latin1");
}

async function titleOf(
  lines: ArchiveLines,
): Promise<{ readonly title: string; readonly complete: ArchiveLines }> {
  const read: (readonly string[])[] = [];
  const rest = lines[Symbol.asyncIterator]();
  let title: string | undefined;
  while (title === undefined) {
    const next = await rest.next();
    if (next.done === true) break;
    read.push(next.value);
    title = next.value.map(titleIn).find((title) => title !== undefined);
  }
  async function* complete(): ArchiveLines {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { title: title ?? "Agent Inspector", complete: complete() };
}

function titleIn(line: string): string | undefined {
  if (!line.startsWith('{"session":')) return undefined;
  const record = JSON.parse(line) as ArchiveRecord;
  return "session" in record ? record.session.title || record.session.sessionId : undefined;
}

/** ASCII with escapes, so that charset and HTML context do not matter. */
function inAscii(text: string): string {
  const characters = Array.from(text.slice(0, LONGEST_TITLE));
  return characters
    .map((character) => (/[ \w.,:;!?()/-]/.test(character) ? character : `&#${character.codePointAt(0)};`))
    .join("");
}

function exportedPage(): string {
  const folder = packagedPage();
  if (folder === undefined)
    throw new Error("The page of exported files lies in this package, which is not here.");
  return path.join(folder, "../exported/page.html");
}
