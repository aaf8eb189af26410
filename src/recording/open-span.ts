import { type JsonObject, present } from "../domain/json/json.js";
import { addUsage, type TokenUsage, usageOf } from "../domain/usage/token-usage.js";
import type { Conversation } from "./conversation.js";
import type { Run } from "./run.js";
import type { RunSpan, RunSpanFacts, RunSpanKind, RunSpanResult, SpanIdentity } from "./run-span.js";

/** Use of the spans inside a span. */
interface Tally {
  readonly usage: TokenUsage;
  readonly isOfModels: boolean;
  /** True if a recorded model call reports a part of it. */
  readonly isRecorded: boolean;
}

/** A span that has started, as far as its end and what lies in it need it. */
export class OpenSpan {
  readonly id: string;
  readonly startedAt: number;
  readonly tree: SpanTree;
  readonly parentId: string | undefined;
  /** As what it is recorded. */
  kind: RunSpanKind;
  name: string;
  toolCallId: string;
  identity: SpanIdentity;
  attributes: JsonObject | undefined;
  operation: string | undefined;
  query: string | undefined;
  /** The run whose root it is. */
  began: Run | undefined;
  /** The run that waits for it. */
  entered: Run | undefined;
  /** True if its start is recorded. */
  isBegun = false;
  hasInput = false;
  hasFailedPart = false;
  /** For a turn: true if the agent that works on it has been reported. */
  hasAgent = false;
  /** For a tool: its own conversation with a model. */
  conversation: Conversation | undefined;
  /** `forgotten` is one that is waited for no longer. */
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

  /** Id of the parent span, unless that is an agent or a turn: children of these lie in their trace, which already states the relation. */
  get partOf(): string | undefined {
    const kind = this.#parent?.kind;
    return kind === "agent" || kind === "turn" ? undefined : this.parentId;
  }

  /** Run of this span or of the innermost enclosing span that has a run. A span above all runs has no run. */
  get run(): Run | undefined {
    for (const span of this.way()) if (span.#run !== undefined) return span.#run;
    return undefined;
  }

  set run(run: Run | undefined) {
    this.#run = run;
  }

  /** Yields this span and its enclosing spans, innermost first, as far as they are available. */
  *way(): Generator<OpenSpan> {
    for (let at: OpenSpan | undefined = this; at !== undefined; at = at.#parent) yield at;
  }

  /** The innermost turn, agent, model or tool call that it lies in. */
  get around(): OpenSpan | undefined {
    for (const span of this.#parent?.way() ?? []) if (span.kind !== "other") return span;
    return undefined;
  }

  /** The tool call of the same run that it lies in. */
  get toolAround(): OpenSpan | undefined {
    for (const span of this.#parent?.way() ?? []) {
      if (span.kind === "tool") return span;
      if (span.began !== undefined) return undefined;
    }
    return undefined;
  }

  /** Adds facts that were reported late. */
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

  /** Ends it; what it used is added to what is around it as soon as no span in it is open. */
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

  /** Of a model call that ends: what it used, by the innermost spans that tell of it. */
  usageOfCall(own: RunSpanResult["usage"]): RunSpanResult["usage"] {
    const parts = this.#parts;
    return parts?.isOfModels === true && !parts.isRecorded ? { ...own, ...parts.usage } : own;
  }

  #settle(): void {
    if (--this.#waitsFor > 0) return;
    const run = this.entered;
    const parent = this.#parent;
    const isRoot = run !== undefined && this.began === run.root;
    const used = this.#tally(isRoot && run.isUsageToldBelow ? undefined : this.#own);
    const isPart = parent?.entered !== undefined && parent.entered.root === run?.root;
    if (used !== undefined && isPart) parent.#addPart(used);
    // A span that began after its parent's end may be missing from the parent's use. The ends of model calls report their use in any
    // case.
    const isTold = parent?.run !== undefined && parent.run.root === run?.root && used?.isOfModels === true;
    this.#parent = undefined;
    this.#parts = undefined;
    this.entered = undefined;
    if (parent !== undefined) parent.#settle();
    run?.leave(isPart || isTold ? undefined : used?.usage);
  }

  #addPart({ usage, isOfModels, isRecorded }: Tally): void {
    const known = this.#parts;
    this.#parts = {
      usage: known === undefined ? usage : addUsage(known.usage, usage),
      isOfModels: isOfModels || known?.isOfModels === true,
      isRecorded: isRecorded || known?.isRecorded === true,
    };
  }

  /** Returns the use of this span and its descendants. Outer spans of frameworks repeat the use of the innermost calls. */
  #tally(own: RunSpanResult["usage"]): Tally | undefined {
    const parts = this.#parts;
    const [isModel, isRecorded] = [this.#isModel, this.kind === "model"];
    const isToldByParts = parts !== undefined && (parts.isOfModels || !isModel);
    if (own !== undefined && this.kind !== "tool" && !isToldByParts)
      return { usage: usageOf(own), isOfModels: isModel, isRecorded };
    return parts && { ...parts, isRecorded: isRecorded || parts.isRecorded };
  }
}

/** Returns the tenant, session and user that a span states. */
export function identityOf({ tenantId, sessionId, userId }: SpanIdentity): SpanIdentity {
  return present({ tenantId, sessionId, userId });
}

/** An event of a span that lies in no run. */
type OutsideEvent = (run: Run) => void;

const MOST_OUTSIDE = 100;

/** The spans of one trace of the framework. */
export class SpanTree {
  readonly key: string;
  /** Number of open spans. */
  open = 0;
  /** First reported tenant, session and user of any span. */
  identity: SpanIdentity = {};
  /** When the newest of them ended. */
  lastEnd = 0;
  /** Runs whose root span has not been reported yet, by the id of the root. */
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

  /** Records an event of a span outside of all runs with the newest run; if there is no run yet, with the first. */
  addOutside(event: OutsideEvent): void {
    if (this.#latest !== undefined) event(this.#latest);
    else if (this.#outside.length < MOST_OUTSIDE) this.#outside.push(event);
  }

  /** Ends the runs whose roots are waited for no longer. */
  endAwaited(): void {
    for (const run of this.awaited.values()) run.end({}, this.lastEnd);
    this.awaited.clear();
  }
}
