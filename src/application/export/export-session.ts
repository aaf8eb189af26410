import type { SessionKey } from "../../domain/session/session-key.js";
import { fingerprint } from "../../domain/text/fingerprints.js";
import { InvalidRequestError, SessionNotFoundError } from "../errors.js";
import {
  type ArchiveLines,
  type ExportWriter,
  type Redaction,
  type RedactionReview,
  redactionOf,
} from "../ports/export.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { SessionSource } from "../ports/session-source.js";
import { openSession } from "../records/open-session.js";
import { lift } from "../sources/lift.js";
import type { TenantScope } from "../sources/scope.js";
import { archiveLines, type SessionToExport } from "./archive-lines.js";
import type { ExportFormat } from "./export-formats.js";
import type { ChoosePart } from "./part-of-session.js";

export interface ExportedSessions {
  /** One or more; of `prompt` two are compared. */
  readonly sessions: readonly SessionKey[];
  /** `errors`, `turn:3`, `agent:ID`, `step:ID`. Default is all. */
  readonly only?: string | undefined;
  /** Whose sessions the caller may see. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
}

export interface ExportRequest extends ExportedSessions {
  readonly format: ExportFormat;
  /** `strict` removes all findings but those in `keep`. `none` examines nothing. */
  readonly redact: "strict" | "none";
  readonly keep?: readonly string[] | undefined;
  /** Of the review: the export rejects another revision. Required with `keep`, whose ids belong to a revision. */
  readonly revision?: string | undefined;
}

export interface ExportReadOptions extends ReadOptions {
  /** Called with each batch that is read: a review reads all of a session before it answers. */
  readonly onProgress?: (() => void) | undefined;
}

export interface ExportReview extends RedactionReview {
  readonly revision: string;
}

export interface ExportedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly removed: { readonly [rule: string]: number };
}

export interface ExportParts {
  /** Those available: a runtime without files lacks some. */
  readonly writers: Readonly<Partial<Record<ExportFormat, ExportWriter>>>;
  /** `undefined` if nothing can find secrets: then only `redact: "none"` is possible. */
  readonly redaction: Redaction | undefined;
  readonly partNamed: (only: string) => ChoosePart;
  readonly writer: string;
  readonly now: () => number;
  readonly prices?: unknown;
}

export class ExportSession {
  readonly #source: SessionSource;
  readonly #parts: ExportParts;
  /** The last review: a request for the file usually follows it, and each reads the complete session. */
  #reviewed: { readonly key: string; readonly review: RedactionReview } | undefined;

  constructor(source: InspectorDataSource, parts: ExportParts) {
    this.#source = lift(source);
    this.#parts = parts;
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for a part that there is not
   */
  async review(request: ExportedSessions, options: ExportReadOptions = {}): Promise<ExportReview> {
    const opened = await this.#open(request, options);
    return { revision: revisionOf(opened), ...(await this.#reviewOf(opened, request, options)) };
  }

  /**
   * @throws SessionNotFoundError for a session that the source does not know
   * @throws InvalidRequestError for an unknown part, format or finding, and if the sessions changed since the review
   */
  async execute(request: ExportRequest, options: ExportReadOptions = {}): Promise<ExportedFile> {
    const { format, redact, keep: ids = [] } = request;
    const writer = this.#parts.writers[format];
    if (writer === undefined) throw new InvalidRequestError("format", "is not supported here.");
    const opened = await this.#open(request, options);
    const revision = revisionOf(opened);
    if (request.revision !== undefined && request.revision !== revision) {
      throw new InvalidRequestError(
        "revision",
        "is not the current revision of the session. Check the findings again.",
      );
    }
    if (ids.length > 0 && request.revision === undefined) {
      throw new InvalidRequestError("keep", "needs the revision of the review that its ids are of.");
    }
    const file = { fileName: `session${writer.ending}`, mediaType: writer.mediaType };
    if (redact === "none") {
      const lines = this.#lines(opened, request, null, options);
      return { ...file, removed: {}, bytes: writer.write(lines, options) };
    }
    const review = await this.#reviewOf(opened, request, options);
    const keep = new Set(ids);
    const unknown = ids.find((id) => !review.findings.some((finding) => finding.id === id));
    if (unknown !== undefined) throw new InvalidRequestError("keep", "names a finding that there is not.");
    const summary = redactionOf(review, keep);
    const lines = this.#lines(opened, request, summary, options);
    const redacted = this.#redaction().remove(lines, review, { ...options, keep });
    return { ...file, removed: summary.removed, bytes: writer.write(redacted, options) };
  }

  async #open(
    { sessions, tenants }: ExportedSessions,
    options: ExportReadOptions,
  ): Promise<SessionToExport[]> {
    const opened: SessionToExport[] = [];
    for (const { tenantId, sessionId } of sessions) {
      const key = { tenantId, sessionId, tenants };
      const snapshot = await openSession(this.#source, key, options);
      const search = { tenantId, sessionId, withFacts: true, limit: 1 };
      const [session] = (await this.#source.findSessions(search, options)).items;
      if (session === undefined) throw new SessionNotFoundError(tenantId, sessionId);
      opened.push({ session, snapshot });
    }
    return opened;
  }

  async #reviewOf(opened: readonly SessionToExport[], request: ExportedSessions, options: ExportReadOptions) {
    const key = keyOf(opened, request);
    if (key !== undefined && this.#reviewed?.key === key) return this.#reviewed.review;
    const review = await this.#redaction().review(this.#lines(opened, request, null, options), options);
    this.#reviewed = key === undefined ? undefined : { key, review };
    return review;
  }

  #redaction(): Redaction {
    const { redaction } = this.#parts;
    if (redaction === undefined)
      throw new InvalidRequestError("redact", "cannot be done here: nothing looks for secrets.");
    return redaction;
  }

  #lines(
    opened: readonly SessionToExport[],
    { only }: ExportedSessions,
    redaction: ReturnType<typeof redactionOf> | null,
    options: ExportReadOptions,
  ): ArchiveLines {
    const { writer, now, prices, partNamed } = this.#parts;
    const choosePart = only === undefined ? undefined : partNamed(only);
    const part = only ?? null;
    const { signal, onProgress } = options;
    const settings = { signal, writer, exportedAt: now(), part, choosePart, redaction, prices };
    return withProgress(archiveLines(opened, settings), onProgress);
  }
}

async function* withProgress(lines: ArchiveLines, onProgress: () => void = () => undefined): ArchiveLines {
  for await (const batch of lines) {
    onProgress();
    yield batch;
  }
}

function keyOf(opened: readonly SessionToExport[], { only }: ExportedSessions): string | undefined {
  const hasRevisions = opened.every(({ snapshot }) => snapshot.revision !== undefined);
  return hasRevisions
    ? JSON.stringify([only, opened.map(({ session, snapshot }) => [session, snapshot.revision])])
    : undefined;
}

function revisionOf(opened: readonly SessionToExport[]): string {
  return fingerprint(JSON.stringify(opened.map(({ snapshot }) => snapshot.revision ?? null)));
}
