import type { JsonObject } from "../../../domain/json/json.js";
import type { Line } from "../../files/bytes/line.js";
import { parseRecord, type TextEncoding } from "../../files/bytes/parse-line.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { Part, RecordParts } from "../recorder/parts.js";

export type ReadRecord =
  | { readonly record: JsonObject; readonly parts: RecordParts; readonly problem: undefined }
  | { readonly record: undefined; readonly parts: undefined; readonly problem: string };

/** For a summary it decodes only prompts and titles. */
export class RecordReader {
  readonly #format: TranscriptFormat;
  readonly #needsTexts: boolean;

  constructor(format: TranscriptFormat, needsTexts: boolean) {
    this.#format = format;
    this.#needsTexts = needsTexts;
  }

  read(line: Line): ReadRecord {
    if (this.#needsTexts) return this.decode(line, "utf8");
    const read = this.decode(line, "latin1");
    return read.parts?.parts.some(isListed) ? this.decode(line, "utf8") : read;
  }

  decode(line: Line, encoding: TextEncoding): ReadRecord {
    const { record, problem } = parseRecord(line, encoding);
    if (record === undefined) return { record, parts: undefined, problem };
    return { record, parts: this.#format.parts(record, line.number), problem };
  }
}

function isListed({ is }: Part): boolean {
  return is === "prompt" || is === "title";
}
