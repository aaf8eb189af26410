import type { ContextRemoval } from "../../../domain/conversation/conversation-outline.js";
import { ODD_COUNT } from "../../../domain/session/session-log.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { formatInstant } from "../../../domain/trace/instant.js";
import { LineProblems } from "../../files/bytes/line-problems.js";
import { MessagePlaces } from "./message-places.js";
import type { RecordParts, Titles } from "./parts.js";
import type { RecordOrigin, TitleHints, TraceRecorderOptions, TypeCount } from "./record-origin.js";
import { RecordTree, type TreeRecord } from "./record-tree.js";
import type { LineLocation } from "./trace-rows.js";

const MOST_CLAIMS = 100;

const MOST_VERSIONS = 20;
const MOST_TYPES = 50;

const MOST_LETTERS = 100;

/** In bytes, besides columns and tables: measured as resident memory, with thousands of short files. */
const RETAINED_BESIDES = 9_000;
const SUMMED_UP_BESIDES = 2_000;

export class FileNotes {
  readonly options: TraceRecorderOptions;
  readonly messages = new MessagePlaces();
  readonly problems = new LineProblems();
  lastAnswer: string | undefined;
  readonly #titles: TitleHints = { claims: [] };
  readonly #versions = new Set<string>();
  readonly #unknownTypes = new Map<string, number>();
  #directory: string | undefined;
  #replayed = 0;
  #firstReplay: LineLocation | undefined;
  readonly #visited = new Set<number>();
  readonly #tree = new RecordTree(this.messages);

  constructor(options: TraceRecorderOptions) {
    this.options = options;
  }

  get bytes(): number {
    const besides = this.options.retainsRows ? RETAINED_BESIDES : SUMMED_UP_BESIDES;
    return this.messages.bytes + this.#tree.bytes + this.#visited.size * 40 + besides;
  }

  get titles(): Readonly<TitleHints> {
    return this.#titles;
  }

  get directory(): string | undefined {
    return this.#directory;
  }

  get replayed(): number {
    return this.#replayed;
  }

  get firstReplay(): LineLocation | undefined {
    return this.#firstReplay;
  }

  isRepeated(recordId: string | undefined): boolean {
    if (recordId === undefined) return false;
    const key = hash53(recordId);
    if (this.#visited.has(key)) return true;
    this.#visited.add(key);
    return false;
  }

  /** @param messageId of a message that may be written again: the last copy counts */
  noteMessage(place: LineLocation, messageId?: string): void {
    if (this.options.retainsRows) this.messages.add(place, messageId);
  }

  get messageCount(): number {
    return this.messages.size;
  }

  /**
   * Notes a record of a file with branches, and takes back messages on other branches.
   * @returns the number of those messages
   */
  noteBranch(record: TreeRecord, place: LineLocation): number {
    if (!this.options.retainsRows) return 0;
    const dropped = this.#tree.goTo(record);
    if (record.isMessage) this.messages.add(place);
    this.#tree.add(record);
    return dropped;
  }

  noteCall(callId: string, place: LineLocation): void {
    if (this.options.retainsRows) this.messages.addCall(callId, place);
  }

  /**
   * Later calls of the file's own conversation no longer get these messages or results.
   * @param removal messages by their number at the time of noting
   * @param at number of messages at the removal. Default is the current one
   */
  remove(
    { instant }: Pick<RecordOrigin, "instant">,
    removal: Omit<ContextRemoval, "at" | "timestamp">,
    at: number = this.messageCount,
  ): void {
    if (!this.options.retainsRows) return;
    const timestamp = Number.isNaN(instant) ? {} : { timestamp: formatInstant(instant) };
    this.messages.remove({ at, ...timestamp, ...removal });
  }

  noteRequest(): void {
    this.messages.markRecorded();
  }

  noteReplay(place: LineLocation): void {
    this.#replayed++;
    this.#firstReplay ??= place;
  }

  noteTitles({ chosen, suggested, key, claim }: Titles): void {
    const titles = this.#titles;
    titles.chosen = chosen ?? titles.chosen;
    titles.suggested = suggested ?? titles.suggested;
    titles.key = key ?? titles.key;
    if (claim !== undefined && titles.claims.length < MOST_CLAIMS) titles.claims.push(claim);
  }

  noteDirectory(directory: string | undefined): void {
    this.#directory ??= directory;
  }

  noteWriter({ version, unknownType }: Pick<RecordParts, "version" | "unknownType">): void {
    if (version !== undefined && this.#versions.size < MOST_VERSIONS)
      this.#versions.add(version.slice(0, MOST_LETTERS));
    if (unknownType === undefined) return;
    this.#noteUnknown(unknownType.slice(0, MOST_LETTERS));
  }

  #noteUnknown(unknownType: string): void {
    const count = this.#unknownTypes.get(unknownType);
    if (count !== undefined || this.#unknownTypes.size < MOST_TYPES)
      this.#unknownTypes.set(unknownType, (count ?? 0) + 1);
  }

  get versions(): readonly string[] {
    return [...this.#versions];
  }

  get unknownTypes(): readonly TypeCount[] {
    return [...this.#unknownTypes].map(([type, count]) => ({ type, count }));
  }

  noteOddCount({ line }: LineLocation): void {
    this.problems.add(line, ODD_COUNT);
  }
}
