import { type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import * as parts from "../../transcripts/recorder/parts.js";
import { OUTCOMES } from "../../transcripts/recorder/trace-rows.js";

export interface KimiRecord extends parts.RecordParts<parts.CommonPart> {
  /** For an event of the loop, the type of the event. */
  readonly kind: string;
  readonly record: JsonObject;
  readonly event: JsonObject;
}

const REGISTERED =
  /^(metadata$|(turn|context|step|content|tool|llm|usage|full_compaction|config|profile|tools|permission|plan_mode|plugin|token_counting|runtime)\.)/;

const MESSAGES = /^(content\.part|tool\.(call|result)|context\.(append_message|apply_compaction))$/;

export function readRecord(record: JsonObject, line: number): KimiRecord {
  const event = record.type === "context.append_loop_event" ? objectField(record, "event") : {};
  const kind = textField(event, "type") ?? textField(record, "type") ?? "untyped";
  const isRegistered = REGISTERED.test(kind);
  const { kind: origin } = objectField(objectField(record, "message"), "origin");
  const isSpoken = kind === "turn.steer" || origin === "injection";
  return {
    parts: partsOf(kind, record, event, line),
    ...parts.recordedAt(record.time, record.created_at),
    isMessage: MESSAGES.test(kind),
    version: textField(record, "protocol_version"),
    unknownType: isRegistered ? undefined : kind,
    kind,
    record,
    event,
    sessionStart: () => ({ protocolVersion: record.protocol_version }),
    passed: () =>
      isSpoken
        ? { type: "text", role: "user" }
        : { type: `kimi.${kind}`, bookkeeping: isRegistered ? "record" : undefined },
    rest() {
      const { input: _, event: __, summary: ___, ...rest } = record;
      const { part, args, result, ...others } = event;
      return record.event === undefined ? rest : { ...rest, event: others };
    },
    text: () => parts.textIn([event.part]),
  };
}

function partsOf(
  kind: string,
  record: JsonObject,
  event: JsonObject,
  line: number,
): readonly parts.CommonPart[] {
  const toolCallId = textField(event, "toolCallId") ?? `line ${line}`;
  switch (kind) {
    case "turn.prompt": {
      const prompt = parts.promptPart(parts.textIn(record.input) || undefined, () => record.input);
      return [{ ...prompt, isPrompt: objectField(record, "origin").kind === "user" }];
    }
    case "turn.steer":
      return [{ is: "input" }];
    case "turn.cancel":
    case "turn.ended": {
      const { reason = "cancelled", durationMs } = record;
      return [
        parts.turnEndPart(
          OUTCOMES.find((one) => one === reason),
          { reason, durationMs },
        ),
      ];
    }
    case "content.part": {
      const part = objectField(event, "part");
      if (part.type === "text") return [{ is: "text", text: textField(part, "text"), event: () => part }];
      const isThought = part.type === "think";
      const visible = isThought ? { type: "thinking", thinking: part.think } : { type: "kimi.part", part };
      return [{ is: "block", event: () => visible }];
    }
    case "tool.call": {
      const { name, args: input, description, display } = event;
      const toolName = typeof name === "string" ? name : "unknown";
      const textOf = (member: string) => textField(objectField(event, "args"), member);
      const [role, task, prompt] = ["subagent_type", "description", "prompt"].map(textOf);
      const spawn = () => (toolName === "Agent" ? { role, description: task, prompt } : undefined);
      const visible = () => ({ type: "tool.start", toolCallId, toolName, input, description, display });
      return [{ is: "call", toolCallId, toolName, spawn, event: visible }];
    }
    case "tool.result": {
      const { output, isError, note } = objectField(event, "result");
      const outcome = isError === true ? "failed" : "completed";
      const text = typeof output === "string" ? output : (jsonTextOf(output) ?? "");
      const agentId = /^agent_id: (\S+)/.exec(text)?.[1];
      const ended = { output, ...parts.failureOf(outcome), note };
      const visible = { type: "tool.end", toolCallId, toolName: undefined, ...ended };
      const end = () => ({ outcome, agentId, isLaunch: false }) as const;
      return [{ is: "result", toolCallId, event: () => visible, end, result: () => ({ text }) }];
    }
    case "context.apply_compaction": {
      const { summary, tokensBefore, tokensAfter } = record;
      const visible = { type: "compaction.end", summary, tokensBefore, tokensAfter };
      return [{ is: "compaction", event: () => visible }];
    }
    default:
      return [];
  }
}
