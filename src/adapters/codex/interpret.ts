import { countField, type JsonObject, objectField, textField } from "../../domain/json.js";
import { NO_USAGE, totalTokens } from "../../domain/session.js";
import { CumulativeUsage, difference } from "../transcripts/cumulative-usage.js";
import type { RecordInterpreter } from "../transcripts/format.js";
import { RecentTexts } from "../transcripts/recent-texts.js";
import type { RecordOrigin } from "../transcripts/recorded.js";
import type { TraceRecorder } from "../transcripts/trace-recorder.js";
import { type Entry, entryOf, isTyped, requestIn, textIn, thoughtsOf, usageIn } from "./record.js";
import { answeredAgent, callIdOf, hasFailed, isEndEvent, isMessage, spawnOf, toolNameOf } from "./tools.js";

export function interpreter(recorder: TraceRecorder): RecordInterpreter {
  const rollout = new Rollout(recorder);
  return (record, place) => {
    const entry = entryOf(record);
    if (isMessage(entry)) recorder.noteMessage(place);
    if (recorder.options.isReplay(record, place)) {
      rollout.passReplay(entry);
      recorder.noteReplay(place);
      return;
    }
    const conversation = recorder.main;
    const instant = conversation.advance(entry.instant, place);
    rollout.take(entry, { conversation, place, instant, isInner: false, isRepeated: false });
  };
}

/** What the records of one rollout mean: a record depends on those before it. */
class Rollout {
  readonly #out: TraceRecorder;
  readonly #usage = new CumulativeUsage();
  /** Texts that one of two records has said: items and events say the same. */
  readonly #said = new RecentTexts();
  /** Calls that an event ended, before the item with their output. */
  readonly #ended = new Set<string>();
  #model: string | undefined;
  /** The model call, whether its usage is known, and whether something came that only the next call answers. */
  #call: string | undefined;
  #isCounted = false;
  #isAnswered = true;
  /** A task was started, and nothing of it came yet. */
  #isPending = false;
  /** The turn ends with its task; else with the next prompt. */
  #isTask = false;
  #hasWorked = false;
  #contextTokens = 0;
  #compactions = 0;

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#isGoingOn = out.options.isContinued;
  }

  /** Totals go on from those of another file that are not known here. */
  #isGoingOn: boolean;

  passReplay({ type, payload, kind }: Entry): void {
    if (type === "turn_context") this.#model = textField(payload, "model") ?? this.#model;
    const total = objectField(objectField(payload, "info"), "total_token_usage");
    if (kind === "token_count" && total.total_tokens !== undefined) this.#usage.goOnFrom(usageIn(total));
  }

  take(entry: Entry, origin: RecordOrigin): void {
    const { type, payload } = entry;
    switch (type) {
      case "session_meta":
        this.#isGoingOn ||= payload.history_base !== undefined && payload.history_base !== null;
        this.#out.start(origin);
        this.#out.passThrough(origin);
        return;
      case "turn_context":
        this.#model = textField(payload, "model") ?? this.#model;
        this.#out.passThrough(origin);
        return;
      case "response_item":
        this.#takeItem(entry, origin);
        return;
      case "event_msg":
        this.#takeEvent(entry, origin);
        return;
      case "compacted":
        this.#isAnswered = true;
        this.#compactions++;
        this.#out.compaction(origin, 0, this.#contextTokens);
        return;
      default:
        this.#out.passThrough(origin);
    }
  }

  #takeItem({ payload, kind }: Entry, origin: RecordOrigin): void {
    switch (kind) {
      case "message":
        if (payload.role === "assistant") this.#sayAsModel(origin, "item", textIn(payload.content));
        else this.#takeInput(payload, origin);
        return;
      case "reasoning":
        this.#think(origin, "item", thoughtsOf(payload));
        return;
      case "agent_message":
        if (!this.#beginTurn(origin, textIn(payload.content))) this.#show(origin);
        this.#awaitAnswer(origin);
        return;
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
      case "tool_search_call":
        this.#beginTool(payload, origin);
        return;
      case "web_search_call":
      case "image_generation_call":
        // The model's own service ran it: there is no other record of its end.
        this.#beginTool(payload, origin);
        this.#endTool(payload, origin, false);
        return;
      case "function_call_output":
      case "custom_tool_call_output":
      case "tool_search_output":
        this.#awaitAnswer(origin);
        if (this.#ended.delete(callIdOf(payload, origin.place))) this.#out.repeat(origin);
        else this.#endTool(payload, origin);
        return;
      default:
        this.#out.passThrough(origin);
    }
  }

  #takeEvent({ payload, kind }: Entry, origin: RecordOrigin): void {
    switch (kind) {
      case "user_message":
        this.#takePrompt(payload, origin);
        return;
      case "agent_message":
        this.#sayAsModel(origin, "event", textIn(payload.message));
        return;
      case "agent_reasoning":
      case "agent_reasoning_raw_content":
        this.#think(origin, "event", [textIn(payload.text)]);
        return;
      case "token_count":
        this.#count(payload, origin);
        return;
      case "task_started":
        this.#isPending = true;
        this.#isTask = true;
        this.#isAnswered = true;
        this.#out.passThrough(origin);
        return;
      case "task_complete":
        this.#endTurn(origin, this.#failed(payload) ? "failed" : undefined);
        return;
      case "turn_aborted":
        this.#endTurn(origin, "cancelled");
        return;
      case "error":
        this.#beginPending(origin);
        this.#out.endCall(origin.conversation);
        this.#out.fail(origin, true);
        return;
      case "context_compacted":
        // Older versions have nothing but the event.
        if (this.#compactions-- > 0) this.#out.repeat(origin);
        else this.#out.compaction(origin, 0, this.#contextTokens);
        this.#compactions = Math.max(0, this.#compactions);
        return;
      default:
        this.#takeToolEvent(payload, kind, origin);
    }
  }

  #takeToolEvent(payload: JsonObject, kind: string, origin: RecordOrigin): void {
    const { tools, titles } = this.#out;
    const toolCallId = callIdOf(payload, origin.place);
    if (kind === "sub_agent_activity" && payload.kind === "started") {
      tools.link(textField(payload, "agent_thread_id") ?? "", textField(payload, "event_id") ?? "");
    } else if (kind === "collab_agent_spawn_end") {
      tools.link(textField(payload, "new_thread_id") ?? "", toolCallId);
    } else if (kind === "thread_name_updated") {
      titles.given = textField(payload, "thread_name") ?? titles.given;
    } else if (isEndEvent(kind) && tools.isOpen(toolCallId)) {
      this.#ended.add(toolCallId);
      this.#endTool(payload, origin);
      return;
    }
    this.#out.passThrough(origin);
  }

  /** A message to the model: a prompt, or what Codex writes besides. */
  #takeInput(payload: JsonObject, origin: RecordOrigin): void {
    const text = textIn(payload.content);
    const isPrompt = payload.role === "user" && isTyped(text);
    if (isPrompt && this.#said.isRepeated("item", text)) this.#out.repeat(origin);
    else if (!isPrompt || !this.#beginTurn(origin, requestIn(text))) this.#show(origin);
    this.#awaitAnswer(origin);
  }

  /** The event that marks a message as a human's, or stands in its place. */
  #takePrompt(payload: JsonObject, origin: RecordOrigin): void {
    const text = textIn(payload.message);
    if (this.#said.isRepeated("event", text)) {
      this.#out.repeat(origin);
      return;
    }
    this.#out.noteMessage(origin.place);
    if (!this.#beginTurn(origin, requestIn(text))) this.#show(origin);
    this.#awaitAnswer(origin);
  }

  /** @returns false where the turn that runs goes on with it */
  #beginTurn(origin: RecordOrigin, prompt: string): boolean {
    if (!this.#isPending && this.#isTask && origin.conversation.isTurnOpen) return false;
    this.#isTask = this.#isPending;
    this.#isPending = false;
    this.#hasWorked = false;
    this.#out.beginTurn(origin, prompt);
    return true;
  }

  /** A task that began without a prompt begins with the first record of its work. */
  #beginPending(origin: RecordOrigin): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#hasWorked = false;
    this.#out.beginTurn(origin, undefined, false);
  }

  #endTurn(origin: RecordOrigin, outcome: "failed" | "cancelled" | undefined): void {
    this.#beginPending(origin);
    this.#out.endTurn(origin, outcome);
    this.#out.finish(origin);
    this.#isTask = false;
    this.#isAnswered = true;
  }

  /** Without an `error`, a turn that failed is one in which the model said nothing. */
  #failed(payload: JsonObject): boolean {
    const isSilent = "last_agent_message" in payload && payload.last_agent_message === null;
    return (payload.error !== undefined && payload.error !== null) || (isSilent && !this.#hasWorked);
  }

  #awaitAnswer(origin: RecordOrigin): void {
    this.#isAnswered = true;
    this.#out.answerTo(origin);
  }

  #show(origin: RecordOrigin): void {
    this.#out.block(origin, { isMain: true, block: 0 });
  }

  /** A record of the model: of the call that goes on, or of the next one. */
  #goOn(origin: RecordOrigin): void {
    this.#beginPending(origin);
    this.#hasWorked = true;
    if (this.#isAnswered) this.#beginCall(origin);
    this.#out.modelCall(origin, this.#call, "", NO_USAGE, this.#model);
    origin.conversation.end = undefined;
  }

  #beginCall({ place }: RecordOrigin): void {
    this.#call = `${this.#out.options.agentId}#${place.line}`;
    this.#isCounted = false;
    this.#isAnswered = false;
  }

  #sayAsModel(origin: RecordOrigin, by: "item" | "event", text: string): void {
    this.#goOn(origin);
    if (this.#said.isRepeated(by, text)) this.#out.repeat(origin);
    else this.#show(origin);
    this.#out.markCallEnd(origin);
    origin.conversation.lastText = { ...origin.place, isInner: false };
    if (!this.#isTask) this.#out.finish(origin);
  }

  #think(origin: RecordOrigin, by: "item" | "event", thoughts: readonly string[]): void {
    this.#goOn(origin);
    const unsaid = thoughts.flatMap((thought, at) => (this.#said.isRepeated(by, thought) ? [] : [at]));
    const isRepeat = thoughts.length > 0 && unsaid.length === 0;
    if (isRepeat) this.#out.repeat(origin);
    const blocks = thoughts.length === 0 ? [0] : unsaid;
    for (const [i, block] of blocks.entries()) this.#out.block(origin, { isMain: i === 0, block });
    this.#out.markCallEnd(origin);
  }

  #beginTool(payload: JsonObject, origin: RecordOrigin): void {
    this.#goOn(origin);
    const toolCallId = callIdOf(payload, origin.place);
    const row = { isMain: true, block: 0 };
    this.#out.beginTool(origin, toolCallId, toolNameOf(payload), row, spawnOf(payload));
  }

  #endTool(payload: JsonObject, origin: RecordOrigin, isMain = true): void {
    const toolCallId = callIdOf(payload, origin.place);
    const agentId = answeredAgent(payload);
    const result = { isError: hasFailed(payload), agentId, isLaunch: true };
    this.#out.endTool(origin, toolCallId, { isMain, block: 0 }, result);
  }

  #count(payload: JsonObject, origin: RecordOrigin): void {
    const info = objectField(payload, "info");
    const total = usageIn(objectField(info, "total_token_usage"));
    const last = usageIn(objectField(info, "last_token_usage"));
    this.#contextTokens = countField(objectField(info, "last_token_usage"), "total_tokens");
    if (totalTokens(total) > 0) {
      // The first totals of a file that goes on from another one: before the first call they are that file's last ones.
      const isFirst = this.#isGoingOn && !this.#usage.isBegun;
      if (isFirst) this.#usage.goOnFrom(this.#call === undefined ? total : difference(total, last));
      const used = this.#usage.since(total);
      if (used !== undefined) {
        if (this.#call === undefined || this.#isCounted) {
          this.#beginCall(origin);
          this.#out.modelCall(origin, this.#call, "", NO_USAGE, this.#model);
          this.#out.markCallEnd(origin);
        }
        this.#out.reportUsage(this.#call!, used);
        this.#isCounted = true;
      }
    }
    this.#out.passThrough(origin);
  }
}
