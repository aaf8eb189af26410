import { closeSync } from "node:fs";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { type JsonObject, textField } from "../../domain/json/json.js";
import { BOUND_TENANT } from "../../domain/spans/bound-tenant.js";
import { ByteFingerprint } from "../../domain/text/fingerprints.js";
import { ODD_INSTANT } from "../../domain/trace/instant.js";
import { openContained } from "../files/bytes/contained-files.js";
import { type FileEnd, goesOnFrom, isAsItWas, readGrowth } from "../files/bytes/file-growth.js";
import { faultReason, type Line } from "../files/bytes/line.js";
import { parseLine } from "../files/bytes/parse-line.js";
import { closeMembers, readElements } from "../files/bytes/read-elements.js";
import { readLines } from "../files/bytes/read-lines.js";
import type { RecordedSpan } from "../spans/recorded-span.js";
import { OUTLINE_ATTRIBUTES, spanOutline } from "../spans/span-outline.js";
import type { OtlpFile } from "./otlp-files.js";
import { documentMember, kindOfRecord } from "./otlp-shape.js";
import { RequestReader } from "./request-spans.js";
import { type TenantClaim, TenantClaims } from "./span-owners.js";

export interface RequestLocation {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly length: number;
  /** A fingerprint of 48 bits of its bytes. */
  readonly digest: number;
}

/** The rest of the span is read again on demand. */
export interface IndexedSpan extends TenantClaim {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** Tenant of its service: for a span without a tenant and a parent. */
  readonly ownTenantId: string | undefined;
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  readonly place: RequestLocation;
  readonly index: number;
  /** True for an agent, a turn or a call. A trace without any of these is not a run of an agent. */
  readonly isOfRun: boolean;
  readonly hasFailed: boolean;
}

export interface SpanFile extends FileEnd {
  /** Relative to the folder. */
  readonly name: string;
  /** Of a document: the member whose array holds its records; `""` if it is an array. */
  readonly member: string | undefined;
  readonly spans: readonly IndexedSpan[];
  /** Spans of an unterminated last line, if the line is complete. */
  readonly tail: readonly IndexedSpan[];
  readonly warnings: readonly RecordWarning[];
  /** Number of spans without usable ids, and the first line with one. */
  readonly unusable: { readonly count: number; readonly line: number };
  readonly line: number;
}

const MOST_WARNINGS = 20;

/**
 * Continues a previous reading of the file.
 * @returns `undefined` for a missing file
 * @throws SourceChangedError for a file that is overwritten again and again
 */
export function* readSpans(
  root: string,
  file: OtlpFile,
  previous: SpanFile | undefined,
): Generator<void, SpanFile | undefined> {
  const opened = openContained(root, file.path);
  if (opened === undefined) return undefined;
  const { descriptor } = opened;
  const member = documentMember(descriptor, opened.identity.size);
  const from = previous?.member === member ? previous : undefined;
  try {
    return yield* readGrowth(
      opened,
      from,
      function* (before, state) {
        const reading = new Reading(file.name, member !== undefined, before);
        const to = state.identity.size;
        const take = (line: Line) => reading.take(line);
        if (member !== undefined) {
          yield* readElements(descriptor, { to, member }, take);
          return { ...state, ...reading.end([]), member, offset: to, line: 0 };
        }
        const range = { from: before?.offset ?? 0, to, line: before?.line ?? 1 };
        const { offset, line, tail } = yield* readLines(descriptor, range, take);
        return { ...state, ...reading.end(reading.takeTail(tail)), member, offset, line };
      },
      member === undefined ? goesOnFrom : isAsItWas,
    );
  } finally {
    closeSync(descriptor);
  }
}

export function warningsOf({
  warnings,
  unusable: { count, line },
  name,
}: SpanFile): readonly RecordWarning[] {
  if (count === 0) return warnings;
  const spans = count === 1 ? "1 span is" : `${count} spans are`;
  const reason = `${spans} skipped: the id of a trace must have 32 hexadecimal digits, and that of a span 16`;
  return [...warnings, { file: name, line, reason }];
}

export function requestOf(record: JsonObject): JsonObject {
  return kindOfRecord(record) === "element" ? { resourceSpans: [record] } : record;
}

class Reading {
  readonly #file: string;
  readonly #isDocument: boolean;
  readonly #spans: IndexedSpan[];
  readonly #warnings: RecordWarning[];
  readonly #requests = new RequestReader(OUTLINE_ATTRIBUTES);
  readonly #claims = new TenantClaims();
  #unusable: SpanFile["unusable"];

  constructor(file: string, isDocument: boolean, before: SpanFile | undefined) {
    this.#file = file;
    this.#isDocument = isDocument;
    this.#spans = [...(before?.spans ?? [])];
    this.#warnings = [...(before?.warnings ?? [])];
    this.#unusable = before?.unusable ?? { count: 0, line: 0 };
  }

  end(tail: readonly IndexedSpan[]) {
    return { name: this.#file, spans: this.#spans, tail, warnings: this.#warnings, unusable: this.#unusable };
  }

  take(line: Line): void {
    closeMembers(line.bytes, line.from, line.to);
    const { record, problem } = parseLine(line);
    if (record === undefined) this.#warn(line, problem);
    else if (this.#isRequest(record, line)) this.#takeSpans(record, line, this.#spans);
  }

  /** A writer may still be adding to a last line without its end. */
  takeTail(line: Line | undefined): readonly IndexedSpan[] {
    const record = line === undefined ? undefined : parseLine(line).record;
    if (line === undefined || record === undefined) return [];
    const kind = kindOfRecord(record);
    const spans: IndexedSpan[] = [];
    if (kind === "request" || kind === "element") this.#takeSpans(record, line, spans);
    return spans;
  }

  #isRequest(record: JsonObject, line: Line): boolean {
    const kind = kindOfRecord(record);
    if (kind === "request" || kind === "element") return true;
    // An empty request, and the members beside a document's array, are not faults.
    if (kind === "none" && Object.keys(record).length === 0) return false;
    if (kind === "none") this.#warn(line, "is no OTLP export request: it has no resourceSpans");
    else this.#warn(line, `holds ${kind} (OTLP), which are skipped: sessions consist of traces`);
    return false;
  }

  #warn({ number }: Pick<Line, "number">, reason: string): void {
    const isReported = this.#warnings.some(
      (warning) => warning.reason === reason && (warning.line === number || reason.startsWith("holds ")),
    );
    if (isReported || this.#warnings.length >= MOST_WARNINGS) return;
    this.#warnings.push({ file: this.#file, line: number, reason });
  }

  #takeSpans(record: JsonObject, line: Line, into: IndexedSpan[]): void {
    const { number, start, length } = line;
    const place: RequestLocation = { file: this.#file, line: number, start, length, digest: digestOf(line) };
    // The records of a document may come from a sender, who must not choose the tenant.
    const boundTenant = this.#isDocument ? undefined : textField(record, BOUND_TENANT);
    let index = 0;
    const before = this.#requests.unusable;
    try {
      for (const span of this.#requests.spansOf(requestOf(record))) {
        if (span.hasOddInstant) this.#warn(line, ODD_INSTANT);
        this.#takeSpan(span, index++, place, boundTenant, into);
      }
    } catch (error) {
      this.#warn(line, faultReason(error));
    }
    const count = this.#unusable.count + this.#requests.unusable - before;
    if (into === this.#spans && count > 0) this.#unusable = { count, line: this.#unusable.line || number };
  }

  /** An unexpected failure affects only this span. */
  #takeSpan(
    span: RecordedSpan,
    index: number,
    place: RequestLocation,
    boundTenant: string | undefined,
    into: IndexedSpan[],
  ): void {
    try {
      into.push(this.#indexed(span, index, place, boundTenant));
    } catch (error) {
      this.#warn({ number: place.line }, faultReason(error));
    }
  }

  #indexed(
    span: RecordedSpan,
    index: number,
    place: RequestLocation,
    boundTenant: string | undefined,
  ): IndexedSpan {
    const { traceId, spanId, parentSpanId, startedAt, endedAt } = span;
    const { kind, namedTenantId, serviceName, sessionId, userId, hasFailed } = spanOutline(span);
    const { tenantId, process, isParentLocal } = this.#claims.of(span, namedTenantId, boundTenant);
    return {
      traceId,
      spanId,
      parentSpanId: parentSpanId === spanId ? undefined : parentSpanId,
      startedAt,
      endedAt,
      tenantId,
      process,
      isParentLocal,
      ownTenantId: namedTenantId ?? serviceName,
      sessionId,
      userId,
      place,
      index,
      isOfRun: kind !== "other",
      hasFailed,
    };
  }
}

function digestOf({ bytes, from, to }: Line): number {
  const fingerprint = new ByteFingerprint();
  fingerprint.add(bytes.subarray(from, to));
  return Math.floor(fingerprint.toNumber() / 32);
}
