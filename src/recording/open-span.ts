import { type JsonObject, present } from "../domain/json/json.js";
import { addUsage, type TokenUsage, usageOf } from "../domain/session/session.js";
import type { Conversation } from "./conversation.js";
import type { Run } from "./run.js";
import type { RunSpan, RunSpanFacts, RunSpanKind, RunSpanResult, SpanIdentity } from "./run-span.js";

/** What the spans in a span used. */
interface Tally {
  readonly usage: TokenUsage;
  readonly isOfModels: boolean;
  /** Whether a model call that is recorded tells any of it. */
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
  /** Whether its start is recorded. */
  isBegun = false;
  hasInput = false;
  hasFailedPart = false;
  /** Of a turn: whether the agent that works on it is known. */
  hasAgent = false;
  /** Of a tool: what it says to a model of its own. */
  conversation: Conversation | undefined;
  /** `forgotten` is one that is waited for no longer. */
  state: "open" | "ended" | "forgotten" = "open";
  #parent: OpenSpan | undefined;
  #run: Run | undefined;
  #parts: Tally | undefined;
  #isModel: boolean;
  /** How many of itself and of the spans in it have not left: what it used is known when there are none. */
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

  /** The span that it is a part of, where that is no agent or turn: what lies in one of these is of its trace, which says so. */
  get partOf(): string | undefined {
    const kind = this.#parent?.kind;
    return kind === "agent" || kind === "turn" ? undefined : this.parentId;
  }

  /** The one that what lies in it belongs to; there is none of a span above all runs. */
  get run(): Run | undefined {
    for (const span of this.way()) if (span.#run !== undefined) return span.#run;
    return undefined;
  }

  set run(run: Run | undefined) {
    this.#run = run;
  }

  /** Itself and what it lies in, innermost first, as far as that is known. */
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

  /** Takes what is told late. */
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
    // What began behind the end of what it lies in, that one may have told. The ends of model calls tell it in any case.
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

  /** What it and all in it used. Frameworks repeat above what the innermost calls used. */
  #tally(own: RunSpanResult["usage"]): Tally | undefined {
    const parts = this.#parts;
    const [isModel, isRecorded] = [this.#isModel, this.kind === "model"];
    const isToldByParts = parts !== undefined && (parts.isOfModels || !isModel);
    if (own !== undefined && this.kind !== "tool" && !isToldByParts)
      return { usage: usageOf(own), isOfModels: isModel, isRecorded };
    return parts && { ...parts, isRecorded: isRecorded || parts.isRecorded };
  }
}

/** What is told of whose a span is. */
export function identityOf({ tenantId, sessionId, userId }: SpanIdentity): SpanIdentity {
  return present({ tenantId, sessionId, userId });
}

/** An event of a span that lies in no run. */
type OutsideEvent = (run: Run) => void;

const MOST_OUTSIDE = 100;

/** The spans of one trace of the framework. */
export class SpanTree {
  readonly key: string;
  /** How many of them are open. */
  open = 0;
  /** What any of them told first of whose it is. */
  identity: SpanIdentity = {};
  /** When the newest of them ended. */
  lastEnd = 0;
  /** Runs whose root has not been told yet, by its id. */
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

  /** Records an event of a span outside of all runs with the newest one; where there is none yet, with the first. */
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
