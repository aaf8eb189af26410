import { type JsonObject, present } from "../domain/json/json.js";
import { addUsage, type TokenUsage, usageOf } from "../domain/usage/token-usage.js";
import type { Conversation } from "./conversation.js";
import type { Run } from "./run.js";
import type { RunSpan, RunSpanFacts, RunSpanKind, RunSpanResult, SpanIdentity } from "./run-span.js";

interface Tally {
  readonly usage: TokenUsage;
  readonly isOfModels: boolean;
  readonly isRecorded: boolean;
}

export class OpenSpan {
  readonly id: string;
  readonly startedAt: number;
  readonly tree: SpanTree;
  readonly parentId: string | undefined;
  kind: RunSpanKind;
  name: string;
  toolCallId: string;
  identity: SpanIdentity;
  attributes: JsonObject | undefined;
  operation: string | undefined;
  query: string | undefined;
  began: Run | undefined;
  entered: Run | undefined;
  isBegun = false;
  hasInput = false;
  hasFailedPart = false;
  hasAgent = false;
  conversation: Conversation | undefined;
  /** `forgotten`: the recorder no longer waits for its end. */
  state: "open" | "ended" | "forgotten" = "open";
  #parent: OpenSpan | undefined;
  #run: Run | undefined;
  #parts: Tally | undefined;
  #isModel: boolean;
  /** Number of unsettled spans: this span and its direct children. At 0 the span's use is final. */
  #waitsFor = 1;
  #own: RunSpanResult["usage"];

  constructor(span: RunSpan, startedAt: number, tree: SpanTree, parent: OpenSpan | undefined) {
    this.id = span.id;
    this.parentId = span.parentId;
    this.startedAt = startedAt;
    this.tree = tree;
    this.kind = span.kind;
    this.#isModel = span.kind === "model";
    this.name = span.name;
    this.toolCallId = span.toolCallId ?? span.id;
    this.identity = identityOf(span);
    this.attributes = span.attributes;
    this.operation = span.operation;
    this.query = span.query;
    this.#parent = parent;
    if (parent !== undefined) parent.#waitsFor++;
  }

  /** Not an agent or a turn: their children lie in their trace, which already states the relation. */
  get partOf(): string | undefined {
    const kind = this.#parent?.kind;
    return kind === "agent" || kind === "turn" ? undefined : this.parentId;
  }

  get run(): Run | undefined {
    for (const span of this.way()) if (span.#run !== undefined) return span.#run;
    return undefined;
  }

  set run(run: Run | undefined) {
    this.#run = run;
  }

  *way(): Generator<OpenSpan> {
    for (let at: OpenSpan | undefined = this; at !== undefined; at = at.#parent) yield at;
  }

  get around(): OpenSpan | undefined {
    for (const span of this.#parent?.way() ?? []) if (span.kind !== "other") return span;
    return undefined;
  }

  get toolAround(): OpenSpan | undefined {
    for (const span of this.#parent?.way() ?? []) {
      if (span.kind === "tool") return span;
      if (span.began !== undefined) return undefined;
    }
    return undefined;
  }

  learn(facts: Partial<RunSpanFacts>): void {
    this.kind = facts.kind ?? this.kind;
    this.#isModel ||= facts.kind === "model";
    this.name = facts.name ?? this.name;
    this.toolCallId = facts.toolCallId ?? this.toolCallId;
    this.identity = { ...identityOf(facts), ...this.identity };
    this.attributes = facts.attributes ?? this.attributes;
    this.operation = facts.operation ?? this.operation;
    this.query = facts.query ?? this.query;
  }

  /** Its use is added to its parent as soon as no span in it is open. */
  leave(own: RunSpanResult["usage"], hasFailed: boolean, state: "ended" | "forgotten"): void {
    const isFirst = this.state === "open";
    this.state = state;
    if (!isFirst) return;
    const parent = this.#parent;
    if (parent?.state === "open" && (hasFailed || this.hasFailedPart)) parent.hasFailedPart = true;
    this.#run = this.run;
    this.#own = own;
    this.attributes = undefined;
    this.conversation = undefined;
    this.#settle();
  }

  usageOfCall(own: RunSpanResult["usage"]): RunSpanResult["usage"] {
    const parts = this.#parts;
    return parts?.isOfModels === true && !parts.isRecorded ? { ...own, ...parts.usage } : own;
  }

  #settle(): void {
    if (--this.#waitsFor > 0) return;
    const run = this.entered;
    const parent = this.#parent;
    const isRoot = run !== undefined && this.began === run.root;
    const used = this.#tally(isRoot && run.isUsageReportedBelow ? undefined : this.#own);
    const isPart = parent?.entered !== undefined && parent.entered.root === run?.root;
    if (used !== undefined && isPart) parent.#addPart(used);
    // A span that began after its parent's end may be missing from the parent's use. The ends of model calls report their use in any
    // case.
    const isReported =
      parent?.run !== undefined && parent.run.root === run?.root && used?.isOfModels === true;
    this.#parent = undefined;
    this.#parts = undefined;
    this.entered = undefined;
    if (parent !== undefined) parent.#settle();
    run?.leave(isPart || isReported ? undefined : used?.usage);
  }

  #addPart({ usage, isOfModels, isRecorded }: Tally): void {
    const existing = this.#parts;
    this.#parts = {
      usage: existing === undefined ? usage : addUsage(existing.usage, usage),
      isOfModels: isOfModels || existing?.isOfModels === true,
      isRecorded: isRecorded || existing?.isRecorded === true,
    };
  }

  /** Returns the use of this span and its descendants. Outer spans of frameworks repeat the use of the innermost calls. */
  #tally(own: RunSpanResult["usage"]): Tally | undefined {
    const parts = this.#parts;
    const [isModel, isRecorded] = [this.#isModel, this.kind === "model"];
    const isReportedByParts = parts !== undefined && (parts.isOfModels || !isModel);
    if (own !== undefined && this.kind !== "tool" && !isReportedByParts)
      return { usage: usageOf(own), isOfModels: isModel, isRecorded };
    return parts && { ...parts, isRecorded: isRecorded || parts.isRecorded };
  }
}

export function identityOf({ tenantId, sessionId, userId }: SpanIdentity): SpanIdentity {
  return present({ tenantId, sessionId, userId });
}

type OutsideEvent = (run: Run) => void;

const MOST_OUTSIDE = 100;

export class SpanTree {
  readonly key: string;
  open = 0;
  identity: SpanIdentity = {};
  lastEnd = 0;
  readonly awaited = new Map<string, Run>();
  #latest: Run | undefined;
  #outside: OutsideEvent[] = [];

  constructor(key: string) {
    this.key = key;
  }

  identify(identity: SpanIdentity): void {
    this.identity = { ...identity, ...this.identity };
  }

  beginRun(run: Run): void {
    this.#latest = run;
    for (const event of this.#outside) event(run);
    this.#outside = [];
  }

  /** An event outside of all runs belongs to the newest run; if there is no run yet, to the first. */
  addOutside(event: OutsideEvent): void {
    if (this.#latest !== undefined) event(this.#latest);
    else if (this.#outside.length < MOST_OUTSIDE) this.#outside.push(event);
  }

  endAwaited(): void {
    for (const run of this.awaited.values()) run.end({}, this.lastEnd);
    this.awaited.clear();
  }
}
