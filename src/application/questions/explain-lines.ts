import pLimit from "p-limit";
import { textLines } from "../../domain/changes/file-change.js";
import { lineClaims } from "../../domain/changes/line-claims.js";
import {
  type LinesExplained,
  MOST_BLOCKS,
  type WriterContext,
} from "../../domain/changes/line-explanation.js";
import { type FileCopy, FileEditsReader, type SessionEdit } from "../authorship/file-edits-reader.js";
import { LINE_AUTHORS, packedAuthors } from "../authorship/line-author-task.js";
import { blocksOf, type ClaimedLine, explainedBlock } from "../authorship/line-blocks.js";
import { SessionEdits } from "../authorship/session-edits.js";
import { contextOfWriter } from "../authorship/writer-context.js";
import { InvalidRequestError } from "../errors.js";
import { FilteredSessions } from "../listing/filtered-sessions.js";
import { filterOf, zoneOf } from "../listing/filters.js";
import type { CachedEdits } from "../ports/cached-edits.js";
import type { InspectorDataSource } from "../ports/inspector-data-source.js";
import type { ReadingPool } from "../ports/reading-pool.js";
import type { ReadOptions } from "../ports/record-stream.js";
import type { LinesWorkspace } from "../ports/workspace-files.js";
import { CallContexts } from "../records/call-contexts.js";
import { onceMore } from "../records/retry-once.js";
import type { TraceOrders } from "../records/trace-orders.js";
import { scope, type TenantScope } from "../sources/scope.js";
import { runInSlices } from "../threads/slices.js";
import { TraceQuestion } from "./trace-question.js";

export interface LinesRequest {
  /** The file, relative to its project, or an absolute path. */
  readonly file: string;
  /** The lines, or the complete file. Default is the file after the sessions' last edit. */
  readonly text?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** In a complete file the lines to explain, from 1; otherwise the number of the first line. Default is all, from 1. */
  readonly line?: number | undefined;
  readonly toLine?: number | undefined;
  readonly tenantId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly filter?: string | undefined;
  readonly zone?: string | undefined;
  /** Whose sessions the caller may see. Default is `"all"`. */
  readonly tenants?: TenantScope | undefined;
  /** From a caller with the file: `text` is then the complete file. */
  readonly workspace?: LinesWorkspace | undefined;
  /**
   * Content of an answer while sessions remain unread: the present lines, or only the number of remaining sessions, for a caller that
   * repeats the request until the end. Default is `"lines"`.
   */
  readonly whileUnread?: "lines" | "nothing" | undefined;
}

/** Maximum number of edits with a context, those with the most lines first. A complete file gets one. */
const MOST_EXPLAINED = 4;
const MOST_LINES = 60;

/** Finds the edits of sessions that wrote lines of a file, and the contexts in which the model requested them. */
export class ExplainLines extends TraceQuestion {
  readonly #edits: FileEditsReader;
  readonly #contexts: CallContexts;

  /**
   * @param filtered default reads on the host's own event loop, in slices
   * @param cachedEdits edits from earlier processes. Default is nothing
   */
  constructor(
    source: InspectorDataSource,
    pool?: ReadingPool,
    orders?: TraceOrders,
    filtered: FilteredSessions = new FilteredSessions(),
    cachedEdits?: CachedEdits,
  ) {
    super(source, pool, orders);
    this.#edits = new FileEditsReader(filtered, new SessionEdits(this.pool, this.orders, cachedEdits));
    this.#contexts = new CallContexts(this.pool, this.orders);
  }

  /** @throws InvalidRequestError for an invalid filter or time zone, and for a line outside of the file */
  async execute(request: LinesRequest, options: ReadOptions = {}): Promise<LinesExplained> {
    const { file, tenantId, sessionId, tenants = "all", workspace, whileUnread = "lines" } = request;
    const isPatient = whileUnread === "nothing";
    if (workspace !== undefined && request.text !== undefined)
      checkLines(inputLines(request.text).length, request);
    const filter = filterOf(request.filter ?? "", zoneOf(request.zone), Date.now());
    const source = scope(this.source, tenants);
    const requested = { path: file, folder: workspace?.folder, formerPaths: workspace?.formerPaths };
    const { copies, coverage } = await this.#edits.find(
      source,
      { tenantId, sessionId, filter, file: requested, isPatient },
      options,
    );
    if (isPatient && coverage.unread > 0)
      return { file, from: 1, to: 0, blocks: [], moreBlocks: 0, coverage };
    const lines = await this.#linesOf(request, copies, options);
    const blocks = blocksOf(lines);
    const visible = blocks.slice(0, MOST_BLOCKS);
    const isPart = request.line !== undefined || (request.text !== undefined && workspace === undefined);
    const saw = await this.#whatWritersSaw(visible, isPart ? MOST_EXPLAINED : 1, tenants, options);
    return {
      file,
      from: lines[0]?.number ?? 1,
      to: lines.at(-1)?.number ?? 0,
      blocks: visible.map((block) => explainedBlock(block, saw)),
      moreBlocks: blocks.length - visible.length,
      coverage,
    };
  }

  async #linesOf(
    request: LinesRequest,
    copies: readonly FileCopy[],
    options: ReadOptions,
  ): Promise<readonly ClaimedLine[]> {
    const { text, before = "", after = "", workspace } = request;
    const { versions = [], commits = [] } = workspace ?? {};
    const input = text === undefined ? undefined : [textLines(before), inputLines(text), textLines(after)];
    const complete = input?.flat().map((line) => line.replace(/\r$/, ""));
    const selected =
      input === undefined
        ? [...copies].sort((a, b) => b.edits.at(-1)!.at - a.edits.at(-1)!.at).slice(0, 1)
        : copies;
    const atATime = pLimit(this.pool.threads);
    const claimed = await Promise.all(
      selected.map(({ match, edits }) =>
        atATime(async () => {
          const history = { edits, versions, text: complete, isComplete: workspace !== undefined };
          const input = await runInSlices(packedAuthors(history), options.signal);
          return { match, edits, lines: await this.pool.run(LINE_AUTHORS, input, options) };
        }),
      ),
    );
    const texts = complete ?? claimed[0]?.lines.map((line) => line.text) ?? [];
    const claims = lineClaims(claimed, commits, texts.length);
    const [skipped, count] = input === undefined ? [0, texts.length] : [input[0]!.length, input[1]!.length];
    const isFile = input === undefined || workspace !== undefined;
    const first = isFile ? 1 : (request.line ?? 1);
    const numbered = texts.slice(skipped, skipped + count).map((line, i) => ({
      number: first + i,
      text: line,
      claims: claims[skipped + i]!,
      commit: commits[skipped + i],
    }));
    return isFile ? within(numbered, request) : numbered;
  }

  async #whatWritersSaw(
    blocks: readonly (readonly ClaimedLine[])[],
    count: number,
    tenants: TenantScope,
    options: ReadOptions,
  ): Promise<ReadonlyMap<SessionEdit, WriterContext>> {
    const written = new Map<SessionEdit, string[]>();
    for (const block of blocks) {
      const edit = block[0]!.claims[0]?.edit;
      if (edit === undefined) continue;
      const lines = written.get(edit) ?? [];
      written.set(edit, lines);
      for (const { text } of block) lines.push(text);
    }
    const most = [...written].sort(([, a], [, b]) => b.length - a.length).slice(0, count);
    const saw = await Promise.all(
      most.map(async ([edit, lines]) => {
        const context = await onceMore(() =>
          this.#contextOf(edit, lines.slice(0, MOST_LINES), tenants, options),
        );
        return context === undefined ? [] : [[edit, context] as const];
      }),
    );
    return new Map(saw.flat());
  }

  async #contextOf(
    { id, session: { tenantId, sessionId } }: SessionEdit,
    lines: readonly string[],
    tenants: TenantScope,
    options: ReadOptions,
  ): Promise<WriterContext | undefined> {
    const session = await scope(this.source, tenants).openSession(tenantId, sessionId, options);
    if (session === undefined) return undefined;
    const requested = { tenantId, sessionId, call: id, lines };
    return await contextOfWriter(this.#contexts, session, requested, options);
  }
}

function inputLines(text: string): readonly string[] {
  return text === "" ? [""] : textLines(text);
}

function within(lines: readonly ClaimedLine[], request: LinesRequest): readonly ClaimedLine[] {
  const [from, to] = checkLines(lines.length, request);
  return lines.slice(from - 1, to);
}

/**
 * @param count number of lines in the file; a file without recorded content has no lines to check
 * @throws InvalidRequestError for a line outside of the file
 */
function checkLines(count: number, { line, toLine }: LinesRequest): readonly [from: number, to: number] {
  const from = line ?? 1;
  const to = toLine ?? line ?? count;
  if (count > 0 && !(from >= 1 && from <= count && to >= from))
    throw new InvalidRequestError("line", `must be a line of the file, which has ${count}.`);
  return [from, to];
}
