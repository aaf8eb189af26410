import { gunzipSync } from "node:zlib";
import { openArchive } from "../../../src/adapters/archive/archive-source.js";
import { PACKING } from "../../../src/adapters/archive/packed-format.js";
import { unpackArchive } from "../../../src/adapters/archive/unpack-archive.js";
import { InvalidRequestError } from "../../../src/application/errors.js";
import { EXPORT_FORMATS, type ExportFormat } from "../../../src/application/export/export-formats.js";
import type { ExportRequest, ExportSession } from "../../../src/application/export/export-session.js";
import type { InspectorDataSource } from "../../../src/application/ports/inspector-data-source.js";
import { InProcessPool } from "../../../src/application/threads/in-process-pool.js";
import { TOKENS } from "../../../src/composition/container.js";
import { createInspectorContainer } from "../../../src/composition/threaded-container.js";
import { allOf, linesOf } from "../../support/archive.js";
import { leftIn, plantedSecrets, withSecrets } from "../../support/planted-secrets.js";

/** Unpacks a file; for HTML, the packed sessions and the text around them. */
async function textsOf(bytes: Buffer): Promise<string> {
  const texts: string[] = [];
  const around = bytes.toString("utf8").replace(/<script[^>]*>[^<]*<\/script>/g, "");
  for (const [, packed] of bytes.toString("latin1").matchAll(PACKED)) {
    const code = packed!.replace(/=([\s\S])/g, (_, sign: string) =>
      String.fromCharCode(sign.charCodeAt(0) - 64),
    );
    const compressed = Buffer.from(code, "latin1");
    const unpacked = gunzipSync(compressed);
    if (unpacked[0] === PACKING) texts.push(...(await allOf(unpackArchive([compressed]))));
    else if (unpacked.subarray(0, 10).toString() === '{"archive"') texts.push(unpacked.toString("utf8"));
  }
  return [around, ...texts].join("\n");
}

const PACKED = /<script[^>]*type="application\/octet-stream"[^>]*>([^<]*)<\/script>/g;

export interface TriedFormat {
  readonly format: ExportFormat;
  /** Unpacked characters. */
  readonly size: number;
  readonly left: readonly string[];
}

/**
 * Plants secrets in sessions and searches every export format for them.
 * @returns also the number without redaction
 */
export async function tryAllFormats(
  lines: readonly string[],
  count: number,
  seed: number,
): Promise<{ readonly planted: number; readonly tried: readonly TriedFormat[] }> {
  const secrets = plantedSecrets(count, seed);
  const { source } = await openArchive(linesOf(withSecrets(lines, secrets, seed)));
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  try {
    const [session] = (await source.findSessions!({})).items;
    const exporting = (format: ExportFormat, redact: ExportRequest["redact"]) =>
      exported(container.resolve(TOKENS.exportSession), { sessions: [session!], format, redact });
    const whole = (await exporting("jsonl", "none"))!.toString("utf8");
    // A record outside of all sessions is in no file, and its secret is not removed elsewhere.
    const planted = secrets.filter(({ shown }) => whole.includes(JSON.stringify(shown).slice(1, -1)));
    const tried = (await strictTexts(container, session!)).map(([format, text]): TriedFormat => {
      return { format, size: text.length, left: leftIn(text, planted).slice(0, 10) };
    });
    return { planted: planted.length, tried };
  } finally {
    await container.resolve(TOKENS.readingPool).close();
  }
}

/** Strictly redacted and unpacked. */
export async function exportedTexts(source: InspectorDataSource): Promise<[ExportFormat, string][]> {
  const container = createInspectorContainer(source, { pool: new InProcessPool() });
  try {
    const [session] = (await source.findSessions!({})).items;
    return await strictTexts(container, session!);
  } finally {
    await container.resolve(TOKENS.readingPool).close();
  }
}

async function strictTexts(
  container: ReturnType<typeof createInspectorContainer>,
  session: ExportRequest["sessions"][number],
): Promise<[ExportFormat, string][]> {
  const exports = container.resolve(TOKENS.exportSession);
  const texts: [ExportFormat, string][] = [];
  for (const format of EXPORT_FORMATS) {
    const bytes = await exported(exports, { sessions: [session], format, redact: "strict" });
    if (bytes !== undefined) texts.push([format, await textsOf(bytes)]);
  }
  return texts;
}

/** @returns `undefined` for a format that cannot be written here */
async function exported(
  exports: Pick<ExportSession, "execute">,
  request: ExportRequest,
): Promise<Buffer | undefined> {
  try {
    const { bytes } = await exports.execute(request);
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof InvalidRequestError && error.parameter === "format") return undefined;
    throw error;
  }
}
