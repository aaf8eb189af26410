import { excerptOf } from "../../../domain/text/excerpt.js";
import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import { ODD_INSTANT } from "../../../domain/trace/instant.js";
import {
  type FileEnd,
  type FileState,
  goesOnFrom,
  isAsItWas,
  readGrowth,
} from "../../files/bytes/file-growth.js";
import { isUnchanged } from "../../files/bytes/file-identities.js";
import { faultReason, type Line, NOT_JSON, NOT_UTF8 } from "../../files/bytes/line.js";
import type { LineProblem } from "../../files/bytes/line-problems.js";
import { concatenatedParts, partBehind } from "../../files/bytes/parse-line.js";
import { readElements } from "../../files/bytes/read-elements.js";
import { readLines } from "../../files/bytes/read-lines.js";
import {
  DOCUMENT_RECORDS,
  type ExtraWork,
  LIST_SPENT,
  ReadingBudget,
} from "../../files/bytes/reading-budget.js";
import type { TranscriptFormat } from "../folder/format.js";
import { type OpeningOptions, openLines } from "../folder/open-lines.js";
import type { Follower } from "../recorder/follower.js";
import type { RecordParts } from "../recorder/parts.js";
import type { CopiedRecord, TraceRecorderOptions } from "../recorder/record-origin.js";
import { TraceRecorder } from "../recorder/trace-recorder.js";
import type { LineLocation } from "../recorder/trace-rows.js";
import type { DerivedFile } from "./derived-file.js";
import { viewOf } from "./derived-view.js";
import { elementsWithin } from "./nested-elements.js";
import { RecordReader } from "./record-reader.js";

const MOST_BYTES = 64 * 1024 * 1024;

/** Each level of nested records is read again. */
const MOST_NESTED = 8;

/** Number of nested records between two checks of the bounds: a line may hold any number of them. */
const NESTED_AT_ONCE = 256;

export class GrowingFile {
  readonly #root: string;
  readonly #path: string;
  readonly #format: TranscriptFormat;
  readonly #options: TraceRecorderOptions;
  readonly #mostBytes: number;
  readonly #reader: RecordReader;
  #recorder: TraceRecorder;
  #follower: Follower;
  #end: FileEnd | undefined;
  #line = 1;
  /** End of the processed part; in an unterminated last line, of its complete records. */
  #takenTo = 0;
  #view: DerivedFile | undefined;
  #records = 0;
  #readTo = 0;
  #budget = new ReadingBudget();
  #ofList: ExtraWork | undefined;
  #isLeft = false;
  /** The first line with nested records that exceed the bounds. */
  #cutLine: number | undefined;
  #answer: Line | undefined;

  constructor(
    root: string,
    path: string,
    format: TranscriptFormat,
    options: TraceRecorderOptions,
    mostBytes: number = MOST_BYTES,
  ) {
    this.#mostBytes = mostBytes;
    this.#root = root;
    this.#path = path;
    this.#format = format;
    this.#options = options;
    this.#reader = new RecordReader(format, options.retainsRows);
    this.#recorder = new TraceRecorder(options);
    this.#follower = format.follower(this.#recorder);
  }

  get bytes(): number {
    return this.#recorder.bytes * 2;
  }

  /**
   * Reads the additions; `undefined` if the file is gone.
   * @param linesAtOnce approximate maximum; the next reading continues
   * @throws SourceChangedError for a file that is overwritten repeatedly
   */
  *read(linesAtOnce: number, options: OpeningOptions = {}): Generator<void, DerivedFile | undefined> {
    const opened = yield* openLines(this.#root, this.#path, this.#format.folder.packed, options);
    if (opened === undefined) return undefined;
    const { descriptor, identity } = opened;
    this.#ofList = options.ofList;
    try {
      if (this.#end !== undefined && isUnchanged(this.#end.identity, identity) && this.#view?.isComplete)
        return this.#view;
      const previous = this.#end;
      // An abandoned reading leaves no end, so that the next one starts at the beginning.
      this.#end = undefined;
      const { arrayMember } = this.#options;
      const { end, unread, isComplete } = yield* readGrowth(
        opened,
        previous,
        (from, state) =>
          arrayMember === undefined
            ? this.#readFrom(descriptor, from, state, linesAtOnce)
            : this.#readDocument(descriptor, arrayMember, state),
        arrayMember === undefined && !opened.isUnpacked ? goesOnFrom : isAsItWas,
      );
      this.#end = end;
      this.#readAnswer();
      this.#view = viewOf(this.#recorder, end, unread, isComplete);
      return this.#view;
    } finally {
      opened.close();
    }
  }

  *#readFrom(
    descriptor: number,
    from: FileEnd | undefined,
    state: FileState,
    linesAtOnce: number,
  ): Generator<void, ReadEnd> {
    if (from === undefined) this.#begin();
    const range = { from: from?.offset ?? 0, to: state.identity.size, line: this.#line };
    const most = range.line + linesAtOnce;
    const isEnough = () => this.#isEnough || this.#line >= most;
    const { offset, line, tail, isComplete } = yield* readLines(
      descriptor,
      range,
      (one) => this.#add(one),
      isEnough,
    );
    this.#line = line;
    if (tail !== undefined) this.#addTail(tail);
    const unread = isComplete ? this.#unreadNested() : this.#unreadFrom(line);
    return { end: { ...state, offset }, unread, isComplete: isComplete || this.#isFull };
  }

  *#readDocument(descriptor: number, member: string, state: FileState): Generator<void, ReadEnd> {
    this.#begin();
    const range = { to: state.identity.size, member };
    const isComplete = yield* readElements(
      descriptor,
      range,
      (one) => this.#add(one),
      () => this.#isEnough,
    );
    const unread = isComplete ? this.#unreadNested() : this.#unreadFrom(this.#line + 1);
    return { end: { ...state, offset: range.to }, unread, isComplete: isComplete || this.#isFull };
  }

  get #isEnough(): boolean {
    this.#isLeft = !this.#mayContinue();
    return this.#isLeft || this.#isFull;
  }

  #mayContinue(): boolean {
    return this.#budget.allows(ReadingBudget.ofRecords(this.#records, this.#readTo), this.#ofList);
  }

  get #isFull(): boolean {
    return this.#hasTooMany || this.#budget.isExceeded || this.#recorder.bytes >= this.#mostBytes;
  }

  get #hasTooMany(): boolean {
    return this.#options.arrayMember !== undefined && this.#records >= DOCUMENT_RECORDS;
  }

  #unreadNested(): LineProblem | undefined {
    return this.#cutLine === undefined ? undefined : this.#unreadFrom(this.#cutLine);
  }

  #unreadFrom(line: number): LineProblem | undefined {
    if (this.#hasTooMany) return { line, reason: TOO_MANY };
    if (this.#budget.isExceeded) return { line, reason: TOO_SHORT };
    if (this.#isFull) return { line, reason: TOO_MUCH };
    return this.#isLeft ? { line, reason: LEFT_FOR_NEXT } : undefined;
  }

  #add(complete: Line): void {
    this.#line = complete.number;
    this.#records++;
    this.#readTo = complete.start + complete.length;
    const line = partBehind(complete, this.#takenTo);
    const problem = line && this.#addRecord(line);
    if (line === undefined || problem === undefined) return;
    const parts = problem === NOT_JSON ? concatenatedParts(line) : [line];
    for (const part of parts) {
      const left = part === line ? problem : this.#addRecord(part);
      if (left !== undefined) this.#recorder.problems.add(part.number, left);
    }
  }

  /** A complete object is a record even without a line feed: no longer text with this prefix is one. */
  #addTail(complete: Line): void {
    const tail = partBehind(complete, this.#takenTo);
    for (const part of tail === undefined ? [] : concatenatedParts(tail)) {
      if (this.#addRecord(part) !== undefined) return;
      this.#takenTo = part.start + part.length;
    }
  }

  /** @returns the reason if it is not a record; an unexpected failure affects only this one */
  #addRecord(line: Line): string | undefined {
    try {
      return this.#derive(line);
    } catch (error) {
      this.#recorder.problems.add(line.number, faultReason(error));
      return undefined;
    }
  }

  #derive(line: Line): string | undefined {
    const { start, number } = line;
    const place = this.#placeOf(line);
    const copied = this.#options.copyAt?.(start);
    if (copied !== undefined) {
      this.#passCopy(copied, line, place);
      return undefined;
    }
    const { record, parts, problem } = this.#reader.read(line);
    if (record === undefined) return problem;
    if (!line.isUtf8) this.#recorder.problems.add(number, NOT_UTF8);
    if (this.#options.isReplay(record)) {
      this.#follower.passCopy?.(parts, place);
      this.#recorder.noteReplay(place);
    } else this.#follow(parts, line, place);
    this.#addNested(line, 0);
    return undefined;
  }

  #passCopy({ isMessage, isNeeded }: CopiedRecord, line: Line, place: LineLocation): void {
    const { parts } = isNeeded ? this.#reader.decode(line, "latin1") : {};
    if (parts !== undefined) this.#follower.passCopy?.(parts, place);
    if (isMessage) this.#recorder.noteMessage(place);
    this.#recorder.noteReplay(place);
  }

  #addNested(line: Line, depth: number): void {
    for (const names of this.#format.nestedIn ?? []) {
      for (const element of elementsWithin(line, names)) {
        if (this.#isCut()) return;
        const { parts } = this.#reader.read(element);
        if (parts === undefined) continue;
        if (depth === MOST_NESTED) return this.#recorder.problems.add(line.number, TOO_DEEP);
        this.#follow(parts, element, { ...this.#placeOf(element), isNested: true });
        this.#addNested(element, depth + 1);
      }
    }
  }

  /** Counts one more nested record. @returns true if it exceeds the bounds of the file */
  #isCut(): boolean {
    if (this.#cutLine !== undefined) return true;
    this.#records++;
    if (this.#records % NESTED_AT_ONCE !== 0) return false;
    // A list that has no work left finishes the line: the next one continues after it.
    this.#mayContinue();
    if (this.#isFull) this.#cutLine = this.#line;
    return this.#isFull;
  }

  #follow(parts: RecordParts, line: Line, place: LineLocation): void {
    const { main } = this.#recorder.conversations;
    const before = main.lastText;
    this.#recorder.noteWriter(parts);
    if (parts.hasOddInstant) this.#recorder.problems.add(line.number, ODD_INSTANT);
    this.#follower.follow(parts, place);
    if (this.#options.retainsRows || main.lastText === before) return;
    const { bytes, from, to } = line;
    // A copy, because the next lines reuse the buffer.
    this.#answer = { ...line, bytes: new Uint8Array(bytes.subarray(from, to)), from: 0, to: to - from };
  }

  #readAnswer(): void {
    const parts = this.#answer && this.#reader.decode(this.#answer, "utf8").parts;
    this.#answer = undefined;
    if (parts !== undefined) this.#recorder.lastAnswer = excerptOf(parts.text());
  }

  #placeOf({ start, length, number, bytes, from, to }: Line): LineLocation {
    if (!this.#options.retainsRows) return { start, length, line: number, content: 0 };
    const content = new ByteFingerprint();
    content.add(bytes.subarray(from, to));
    return { start, length, line: number, content: content.toNumber() };
  }

  #begin(): void {
    this.#recorder = new TraceRecorder(this.#options);
    this.#follower = this.#format.follower(this.#recorder);
    this.#line = 1;
    this.#takenTo = 0;
    this.#budget = new ReadingBudget();
    this.#records = 0;
    this.#readTo = 0;
    this.#cutLine = undefined;
    this.#answer = undefined;
  }
}

const TOO_DEEP = "holds records nested deeper than eight levels, which are skipped";
const TOO_MUCH = "and all later lines, are skipped: the file exceeds the size limit";
const TOO_MANY = `and all later lines, are skipped: only ${DOCUMENT_RECORDS} records of a document are read`;

const TOO_SHORT =
  "and all later lines, are skipped: the file has too many records that are shorter than 128 bytes. Move it out of the folder";
const LEFT_FOR_NEXT = `and all later lines, are not read yet: ${LIST_SPENT}`;

interface ReadEnd {
  readonly end: FileEnd;
  readonly unread: LineProblem | undefined;
  readonly isComplete: boolean;
}
