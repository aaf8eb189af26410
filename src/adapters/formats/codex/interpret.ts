import { countField, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import type { RecordInterpreter } from "../../transcripts/format.js";
import type { RecordOrigin } from "../../transcripts/recorded.js";
import type { TraceRecorder } from "../../transcripts/trace-recorder.js";
import { OrderedConversation } from "./ordered-conversation.js";
import { type Entry, entryOf, isTyped, promptIn, requestIn, textIn, thoughtsOf, usageIn } from "./record.js";
import * as tools from "./tools.js";

export function interpreter(recorder: TraceRecorder): RecordInterpreter {
  const rollout = new Rollout(recorder);
  return {
    passCopy: (record) => rollout.passCopy(entryOf(record)),
    take(record, place) {
      const entry = entryOf(record);
      if (tools.isMessage(entry)) recorder.noteMessage(place);
      const conversation = recorder.main;
      const instant = conversation.advance(entry.instant, place);
      rollout.take(entry, { conversation, place, instant, isInner: false, isRepeated: false });
    },
  };
}

class Rollout {
  readonly #out: TraceRecorder;
  readonly #conversation: OrderedConversation;
  /** How many messages lie before each prompt that was not taken back. */
  #prompts: number[] = [];

  constructor(out: TraceRecorder) {
    this.#out = out;
    this.#conversation = new OrderedConversation(out);
  }

  passCopy({ type, payload, kind }: Entry): void {
    if (type === "turn_context") this.#takeSettings(payload);
    const total = objectField(objectField(payload, "info"), "total_token_usage");
    if (kind === "token_count" && total.total_tokens !== undefined)
      this.#conversation.passTotals(usageIn(total));
  }

  take({ type, payload, kind }: Entry, origin: RecordOrigin): void {
    if (type === "response_item") return this.#takeItem(payload, kind, origin);
    if (type === "event_msg") return this.#takeEvent(payload, kind, origin);
    if (type === "compacted") {
      this.#forgetReplaced(origin);
      return this.#conversation.compact(origin, "item");
    }
    if (type === "turn_context") this.#takeSettings(payload);
    if (type === "session_meta") {
      // The history before it lies in another file.
      if (textField(objectField(payload, "history_base"), "thread_id")) this.#conversation.isContinued = true;
      this.#out.start(origin);
    }
    this.#out.passThrough(origin);
  }

  /** What was compacted is replaced by what the record says word for word; by its summary alone where it says none. */
  #forgetReplaced(origin: RecordOrigin): void {
    const last = this.#out.messageCount - 1;
    this.#out.remove(origin, { cause: "compaction", messages: [[0, last]] }, last);
    this.#prompts = [];
  }

  /** The newest prompts are taken back, with all that followed them. */
  #rollBack({ num_turns: turns }: JsonObject, origin: RecordOrigin): void {
    if (typeof turns !== "number" || turns < 1) return;
    const [from = this.#out.messageCount] = this.#prompts.splice(-turns);
    this.#out.remove(origin, { cause: "rewind", messages: [[from, this.#out.messageCount]] });
  }

  #takeSettings(payload: JsonObject): void {
    this.#conversation.model = textField(payload, "model") ?? this.#conversation.model;
  }

  #takeItem(payload: JsonObject, kind: string, origin: RecordOrigin): void {
    const toolCallId = tools.callIdOf(payload, origin.place);
    if (kind === "message") this.#takeMessage(payload, origin);
    else if (kind === "reasoning") this.#conversation.think(origin, "item", thoughtsOf(payload));
    else if (kind === "agent_message") this.#conversation.begin(origin, textIn(payload.content));
    else if (tools.CALL.test(kind)) {
      this.#conversation.call(origin, toolCallId, tools.toolNameOf(payload), tools.spawnOf(payload));
      if (tools.RUN_BY_MODEL.test(kind)) this.#endCall(payload, origin, false);
    } else if (tools.OUTPUT.test(kind)) this.#endCall(payload, origin, true);
    else this.#out.passThrough(origin);
  }

  #endCall(payload: JsonObject, origin: RecordOrigin, isMain: boolean): void {
    const result = { outcome: tools.toolOutcome(payload), agentId: tools.answeredAgent(payload), isMain };
    this.#conversation.endCall(origin, "item", tools.callIdOf(payload, origin.place), result);
  }

  #takeMessage(payload: JsonObject, origin: RecordOrigin): void {
    const text = promptIn(payload.content);
    if (payload.role === "assistant") this.#conversation.say(origin, "item", text);
    else if (payload.role === "user" && isTyped(text)) {
      // The prompt itself is the last message so far.
      this.#prompts.push(this.#out.messageCount - 1);
      this.#conversation.prompt(origin, "item", text, requestIn(text));
    } else {
      this.#conversation.show(origin);
      this.#conversation.ask(origin);
    }
  }

  #takeEvent(payload: JsonObject, kind: string, origin: RecordOrigin): void {
    switch (kind) {
      case "user_message": {
        const text = textIn(payload.message);
        const isNew = this.#conversation.prompt(origin, "event", text, requestIn(text));
        // Where no item says it, the event is the message.
        if (isNew) {
          this.#prompts.push(this.#out.messageCount);
          this.#out.noteMessage(origin.place);
        }
        return;
      }
      case "agent_message":
        return this.#conversation.say(origin, "event", textIn(payload.message));
      case "agent_reasoning":
      case "agent_reasoning_raw_content":
        return this.#conversation.think(origin, "event", [textIn(payload.text)]);
      case "task_complete":
        return this.#conversation.endTurn(origin, this.#isFailure(payload) ? "failed" : undefined);
      case "turn_aborted":
        return this.#conversation.endTurn(origin, "cancelled");
      case "error":
        return this.#conversation.fail(origin);
      case "context_compacted":
        return this.#conversation.compact(origin, "event");
    }
    const toolCallId = tools.callIdOf(payload, origin.place);
    const result = { outcome: tools.toolOutcome(payload) };
    if (tools.END_EVENT.test(kind) && this.#conversation.endCall(origin, "event", toolCallId, result)) return;
    this.#note(payload, kind, origin);
    this.#out.passThrough(origin);
  }

  /** What is known from events that are shown as they are. */
  #note(payload: JsonObject, kind: string, origin: RecordOrigin): void {
    const { titles } = this.#out;
    const link = (thread: string, call: string) =>
      this.#out.tools.link(textField(payload, thread) ?? "", textField(payload, call) ?? "");
    if (kind === "task_started") this.#conversation.startTask();
    else if (kind === "thread_rolled_back") this.#rollBack(payload, origin);
    else if (kind === "token_count") this.#count(objectField(payload, "info"), origin);
    else if (kind === "thread_name_updated") titles.given = textField(payload, "thread_name") ?? titles.given;
    else if (kind === "collab_agent_spawn_end") link("new_thread_id", "call_id");
    else if (kind === "sub_agent_activity" && payload.kind === "started") link("agent_thread_id", "event_id");
  }

  #count(info: JsonObject, origin: RecordOrigin): void {
    const last = objectField(info, "last_token_usage");
    const total = objectField(info, "total_token_usage");
    this.#conversation.contextTokens = countField(last, "total_tokens");
    this.#conversation.reportTotals(origin, usageIn(total), usageIn(last));
  }

  /** Without an `error`, a turn that failed is one in which the model said nothing. */
  #isFailure({ error, last_agent_message: last }: JsonObject): boolean {
    return (error !== undefined && error !== null) || (last === null && !this.#conversation.hasWorked);
  }
}
