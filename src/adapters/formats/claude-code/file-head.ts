import { objectField, textField } from "../../../domain/json/json.js";
import { instantOf } from "../../../domain/trace/instant.js";
import type { Line } from "../../files/bytes/line.js";
import { parseLine } from "../../files/bytes/parse-line.js";
import type { FaultyHead, HeadReader, HeadReading } from "../../transcripts/file-heads.js";
import { recordKey } from "./record.js";

/** What the first record of a file with a `uuid` contains; without one, what records before it name. */
export interface FileHead extends FaultyHead {
  /** What a replayed copy of the record shares with it. */
  readonly key: number | undefined;
  readonly instant: number | undefined;
  /** The session that the record names as its own. */
  readonly sessionId: string | undefined;
  /** The session that it names as the one it was copied from. */
  readonly forkedFrom: string | undefined;
}

const NO_HEAD: FileHead = { key: undefined, instant: undefined, sessionId: undefined, forkedFrom: undefined };

/** How many lines of others are searched for it. */
const MOST_LINES = 100_000;

/** Reads how the files of a project begin. */
export const fileHeads: HeadReader<FileHead> = {
  name: "claude-code heads",
  none: NO_HEAD,
  shape: { key: "number?", instant: "instant?", sessionId: "text?", forkedFrom: "text?" },
  begin: () => new FirstRecord(),
};

class FirstRecord implements HeadReading<FileHead> {
  head = NO_HEAD;
  #lines = 0;

  get isFound(): boolean {
    return this.head.key !== undefined;
  }

  get isEnough(): boolean {
    return this.isFound || this.#lines >= MOST_LINES;
  }

  follow(line: Line): void {
    if (this.isEnough) return;
    this.#lines++;
    const { record } = parseLine(line);
    if (record === undefined) return;
    const key = recordKey(record);
    const sessionId = textField(record, "sessionId");
    if (key === undefined) {
      this.head = { ...this.head, sessionId: this.head.sessionId ?? sessionId };
      return;
    }
    const forkedFrom = textField(objectField(record, "forkedFrom"), "sessionId");
    this.head = { key, instant: instantOf(record.timestamp), sessionId, forkedFrom };
  }
}
