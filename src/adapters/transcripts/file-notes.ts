import type { ContextRemoval } from "../../domain/conversation/conversation-outline.js";
import { ODD_COUNT } from "../../domain/session/session-log.js";
import { hash53 } from "../../domain/text/fingerprints.js";
import { formatInstant } from "../../domain/trace/instant.js";
import { LineProblems } from "../files/bytes/line-problems.js";
import { MessagePlaces } from "./message-places.js";
import type { RecordParts, Titles } from "./parts.js";
import { RecordTree, type TreeRecord } from "./record-tree.js";
import type { RecordOrigin, TitleHints, TraceRecorderOptions, TypeCount } from "./recorded.js";
import type { LineLocation } from "./trace-rows.js";

/** Maximum number of titles of other sessions that are read from one file. */
const MOST_CLAIMS = 100;

/** Maximum number of distinct versions, and of unrecognised record types, per file. */
const MOST_VERSIONS = 20;
const MOST_TYPES = 50;

/** Maximum stored length of a version or a type, in characters. */
const MOST_LETTERS = 100;

/** Memory of a file besides its columns and tables, in bytes: measured as resident memory, with thousands of short files. */
const KEPT_BESIDES = 9_000;
const SUMMED_UP_BESIDES = 2_000;

/** Facts about one file besides its trace: its messages, titles, problems, and its replayed lines. */
export class FileNotes {
  readonly options: TraceRecorderOptions;
  /** Of the file's own conversation. */
  readonly messages = new MessagePlaces();
  readonly problems = new LineProblems();
  /** Last answer in the file's own conversation, if the file is only summarised. */
  lastAnswer: string | undefined;
  readonly #titles: TitleHints = { claims: [] };
  readonly #versions = new Set<string>();
  readonly #unknownTypes = new Map<string, number>();
  #directory: string | undefined;
  #replayed = 0;
  #firstReplay: LineLocation | undefined;
  readonly #seen = new Set<number>();
  readonly #tree = new RecordTree(this.messages);

  constructor(options: TraceRecorderOptions) {
    this.options = options;
  }

  get bytes(): number {
    const besides = this.options.keepsRows ? KEPT_BESIDES : SUMMED_UP_BESIDES;
    return this.messages.bytes + this.#tree.bytes + this.#seen.size * 40 + besides;
  }

  /** The titles that the file contains. */
  get titles(): Readonly<TitleHints> {
    return this.#titles;
  }

  /** The folder that the agent worked in, as the first record names it that knows. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** Number of replayed lines. These and the first one are all there is to display for a file with nothing else. */
  get replayed(): number {
    return this.#replayed;
  }

  get firstReplay(): LineLocation | undefined {
    return this.#firstReplay;
  }

  /** True if the file has an earlier record with the same id. */
  isRepeated(recordId: string | undefined): boolean {
    if (!this.options.keepsRows || recordId === undefined) return false;
    const key = hash53(recordId);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  /** @param messageId of a message that may be written again: the last one takes the place of those before it */
  noteMessage(place: LineLocation, messageId?: string): void {
    if (this.options.keepsRows) this.messages.add(place, messageId);
  }

  /** Number of messages in the file's own conversation so far. */
  get messageCount(): number {
    return this.messages.size;
  }

  /**
   * Notes a record of a file whose records make a tree, with the message that it may hold: what lies on other branches is taken back.
   *
   * @returns how many messages that takes back
   */
  noteBranch(record: TreeRecord, place: LineLocation): number {
    if (!this.options.keepsRows) return 0;
    const dropped = this.#tree.goTo(record);
    if (record.isMessage) this.messages.add(place);
    this.#tree.add(record);
    return dropped;
  }

  /** The first record of a model call of the file's own conversation. */
  noteCall(callId: string, place: LineLocation): void {
    if (this.options.keepsRows) this.messages.addCall(callId, place);
  }

  /**
   * Model calls of the file's own conversation do not see some of its messages any more, or results of tools.
   *
   * @param removal messages by how many there were when each was noted
   * @param at how many messages there were. Default is as many as there are now
   */
  remove(
    { instant }: RecordOrigin,
    removal: Omit<ContextRemoval, "at" | "timestamp">,
    at: number = this.messageCount,
  ): void {
    if (!this.options.keepsRows) return;
    const timestamp = Number.isNaN(instant) ? {} : { timestamp: formatInstant(instant) };
    this.messages.remove({ at, ...timestamp, ...removal });
  }

  /** It is recorded what the call of the file's own conversation was sent whose answer was noted last. */
  noteRequest(): void {
    this.messages.markRecorded();
  }

  noteReplay(place: LineLocation): void {
    this.#replayed++;
    this.#firstReplay ??= place;
  }

  /** The newest title of each sort counts. */
  noteTitles({ given, suggested, key, claim }: Titles): void {
    const titles = this.#titles;
    titles.given = given ?? titles.given;
    titles.suggested = suggested ?? titles.suggested;
    titles.key = key ?? titles.key;
    if (claim !== undefined && titles.claims.length < MOST_CLAIMS) titles.claims.push(claim);
  }

  noteDirectory(directory: string | undefined): void {
    this.#directory ??= directory;
  }

  /** Notes the program that wrote the record, and its type if the format does not recognise it. */
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

  /** The versions of the programs that wrote the file, in the order of their first records. */
  get versions(): readonly string[] {
    return [...this.#versions];
  }

  /** Number of records by type, for types that the format does not recognise. */
  get unknownTypes(): readonly TypeCount[] {
    return [...this.#unknownTypes].map(([type, count]) => ({ type, count }));
  }

  /** Notes that a token count of the record is invalid. */
  noteOddCount({ line }: LineLocation): void {
    this.problems.add(line, ODD_COUNT);
  }
}
