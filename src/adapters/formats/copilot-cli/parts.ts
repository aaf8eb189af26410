import { isJsonObject, type JsonObject, objectField, textField } from "../../../domain/json/json.js";
import { excerptOf } from "../../../domain/text/excerpt.js";
import * as parts from "../../transcripts/recorder/parts.js";
import type { CopilotPart, CopilotRecord } from "./part-kinds.js";
import * as copilot from "./record.js";

const MESSAGE =
  /^((user|system|assistant)\.message|system\.notification|skill\.context_delivered|tool\.execution_complete)$/;
const OF_AGENT = /^subagent\.(started|completed|failed)$/;

const VISIBLE = /^(content|reasoningText|arguments|summaryContent)$/;

export function readRecord(record: JsonObject, line: number): CopilotRecord {
  const type = textField(record, "type") ?? "unknown";
  const data = objectField(record, "data");
  const id = textField(record, "id");
  const agentId = textField(record, "agentId");
  const called = copilot.callIn(type, data);
  const model = textField(called ?? {}, "model");
  return {
    type,
    parts: partsOf(type, data, line, agentId !== undefined),
    ...parts.recordedAt(record.timestamp),
    id,
    isMessage:
      MESSAGE.test(type) || (type === "session.compaction_complete" && data.summaryContent !== undefined),
    version: textField(data, "copilotVersion"),
    unknownType: copilot.isRegistered(type) ? undefined : type,
    agentId,
    spawnId: textField(data, OF_AGENT.test(type) ? "toolCallId" : "parentToolCallId"),
    requestsTools: Array.isArray(data.toolRequests) && data.toolRequests.length > 0,
    isByUser: data.isUserRequested === true,
    call() {
      if (called === undefined) return undefined;
      const messageId = textField(called, "apiCallId") ?? textField(called, "messageId");
      const durationMs = typeof called.duration === "number" ? called.duration : undefined;
      const facts = { durationMs, usage: copilot.usageOf(called), hasOddCount: copilot.hasOddUsage(called) };
      return {
        messageId,
        recordId: id ?? `line ${line}`,
        model,
        retainsModel: model === undefined,
        ...facts,
      };
    },
    ...(model === undefined ? {} : { callEnd: () => ({ model }) }),
    sessionStart() {
      const { cwd, branch: gitBranch, repository } = objectField(data, "context");
      const { copilotVersion: version, producer, agentName, agentType, executionMode } = data;
      return { cwd, version, gitBranch, repository, producer, agentName, agentType, executionMode };
    },
    passed(isRepeated) {
      const toolCallId = textField(data, "toolCallId");
      const answers = type === "permission.completed" ? (toolCallId ?? data.requestId) : undefined;
      const repeats = isRepeated ? true : undefined;
      return {
        type: `copilot-cli.${type}`,
        toolCallId,
        answers,
        repeats,
        ...copilot.bookkeepingOf(type, data),
      };
    },
    rest() {
      if (!isJsonObject(record.data)) return record;
      const rest = Object.fromEntries(Object.entries(data).filter(([member]) => !VISIBLE.test(member)));
      if (data.success === true && isJsonObject(data.result))
        rest.result = { ...data.result, content: undefined };
      return { ...record, data: rest };
    },
    text: () => textField(data, "content") ?? "",
  };
}

function partsOf(type: string, data: JsonObject, line: number, isAgents: boolean): readonly CopilotPart[] {
  const toolCallId = textField(data, "toolCallId");
  switch (type) {
    case "user.message":
      return promptParts(data, isAgents);
    case "system.message":
    case "system.notification":
    case "skill.context_delivered":
      return [{ is: "input", event: () => ({ type: "text", role: "system", text: data.content }) }];
    case "assistant.message":
      return answerParts(data);
    case "assistant.reasoning":
      return [thinkingPart(textField(data, "content") ?? "")];
    case "assistant.turn_start":
      return [{ is: "request" }];
    case "session.usage_record":
      return [{ is: "usage" }];
    case "tool.execution_start":
    case "tool.user_requested":
    case "external_tool.requested":
      return [callPart(data, toolCallId ?? `line ${line}`)];
    case "tool.execution_complete":
      return [resultPart(data, toolCallId ?? `line ${line}`)];
    case "permission.requested": {
      const question = askPart(data);
      return question === undefined ? [] : [question];
    }
    case "permission.completed":
      return [{ is: "answer", callId: toolCallId ?? textField(data, "requestId") ?? "" }];
    case "session.error": {
      const { message = "The request failed.", errorType, errorCode: code, statusCode } = data;
      const error = { message, type: errorType, code, statusCode };
      return [{ is: "error", endsCall: true, isLast: true, event: () => ({ type: "error", error }) }];
    }
    case "abort":
      return [parts.turnEndPart("cancelled", { reason: data.reason })];
    case "session.compaction_complete":
    case "session.truncation":
    case "session.context_cleared":
      return data.success === false ? [failurePart(data)] : [compactionPart(type, data)];
    case "subagent.started":
      return toolCallId === undefined ? [] : [spawnedPart(data, toolCallId)];
    case "subagent.completed":
    case "subagent.failed":
      return agentEndParts(type, data, toolCallId);
    case "session.start":
    case "session.resume":
    case "session.model_change":
    case "subagent.configured": {
      const [model] = ["newModel", "selectedModel", "model"].flatMap((name) => textField(data, name) ?? []);
      return [{ is: "settings", model }];
    }
    case "session.shutdown":
      return shutdownParts(data);
    case "session.title_changed":
      return [{ is: "title", titles: { suggested: textField(data, "title") } }];
    case "hook.end":
      return data.success === false ? [failurePart(data)] : [];
    default:
      return [];
  }
}

function failurePart(data: JsonObject): CopilotPart {
  return {
    is: "failure",
    cause: () => textField(data, "error") ?? textField(objectField(data, "error"), "message"),
  };
}

function promptParts(data: JsonObject, isAgents: boolean): readonly CopilotPart[] {
  const { content, source, delivery } = data;
  const text = textField(data, "content");
  // A sub-agent's task is its prompt, whoever wrote it.
  const isPrompt = copilot.isTyped(data) || (isAgents && !String(source).startsWith("skill-"));
  const prompt = parts.promptPart(text, () => content);
  return [
    { ...prompt, isPrompt, isWithin: !isPrompt || delivery === "steering" },
    { is: "text", text, event: () => ({ type: "text", role: "user", text: content, source }) },
  ];
}

function askPart(data: JsonObject): CopilotPart | undefined {
  if (data.resolvedByHook === true) return undefined;
  const { toolCallId = data.requestId, ...request } = objectField(data, "permissionRequest");
  const question = () => {
    const wanted = WANTED.map((name) => textField(request, name)).find((text) => text !== undefined);
    return excerptOf([request.intention, wanted].filter((text) => typeof text === "string").join(": "));
  };
  const callId = typeof toolCallId === "string" ? toolCallId : "";
  return {
    is: "ask",
    callId,
    question,
    event: () => ({ type: "input.waiting", prompt: question(), toolCallId: callId }),
  };
}

const WANTED = ["fullCommandText", "fileName", "path", "url", "toolName", "operation", "subject", "kind"];

function answerParts(data: JsonObject): readonly CopilotPart[] {
  const text = textField(data, "content");
  const thought = textField(data, "reasoningText");
  const isHidden =
    thought === undefined && (data.reasoningOpaque ?? data.encryptedContent ?? undefined) !== undefined;
  const event = () => ({ type: "text", role: "assistant", text, phase: data.phase });
  return [
    ...(thought === undefined && !isHidden ? [] : [thinkingPart(thought ?? "", isHidden)]),
    ...(text === undefined ? [] : [{ is: "text" as const, block: 1, text, event }]),
  ];
}

function thinkingPart(text: string, isHidden = false): CopilotPart {
  return {
    is: "thinking",
    text,
    event: () => ({ type: "thinking", text, encrypted: isHidden ? true : undefined }),
  };
}

function callPart(data: JsonObject, toolCallId: string): CopilotPart {
  const toolName = textField(data, "toolName") ?? "unknown";
  const input = objectField(data, "arguments");
  const isBackground = toolName === "task" && input.mode === "background";
  const event = () => ({ type: "tool.start", toolCallId, toolName, input: data.arguments });
  return {
    is: "call",
    toolCallId,
    toolName,
    isBackground,
    event,
    spawn: () => copilot.spawnIn(toolName, input),
  };
}

function resultPart(data: JsonObject, toolCallId: string): CopilotPart {
  const { output, outcome } = copilot.resultIn(data);
  return {
    is: "result",
    toolCallId,
    event() {
      const exitCode = copilot.exitCodeIn(data, output);
      const { code } = objectField(data, "error");
      const ended = { type: "tool.end", toolCallId, toolName: undefined, output, exitCode, code };
      return { ...ended, ...parts.failureOf(outcome) };
    },
    end: () => ({ outcome, isLaunch: false }),
    result: () => ({ text: typeof output === "string" ? output : "" }),
  };
}

/** A summary replaces all messages. Without one, all messages leave the context, or some that nothing names. */
function compactionPart(type: string, data: JsonObject): CopilotPart {
  const { trigger, summaryContent: summary } = data;
  const tokensBefore = data.preCompactionTokens ?? data.preTruncationTokensInMessages;
  const tokensAfter = data.postCompactionTokens ?? data.postTruncationTokensInMessages;
  const messagesRemoved =
    data.messagesRemoved ?? data.messagesRemovedDuringTruncation ?? data.messagesCleared;
  const { duration: durationMs } = objectField(data, "compactionTokensUsed");
  return {
    is: "compaction",
    durationMs: typeof durationMs === "number" ? durationMs : 0,
    removesAll: type !== "session.truncation",
    event() {
      const subtype = type === "session.compaction_complete" ? undefined : type.slice("session.".length);
      return {
        type: "compaction.end",
        subtype,
        trigger,
        tokensBefore,
        tokensAfter,
        summary,
        messagesRemoved,
      };
    },
  };
}

function spawnedPart(data: JsonObject, toolCallId: string): CopilotPart {
  const role = textField(data, "agentType") ?? textField(data, "agentName");
  const note = { role, description: textField(data, "agentDisplayName"), prompt: undefined };
  const isBackground = data.executionMode === "background";
  const [model, callerId = ""] = ["model", "parentId"].map((name) => textField(data, name));
  return { is: "spawned", toolCallId, isBackground, model, note, callerId };
}

/** An unsuccessful end also ends the background task. */
function agentEndParts(
  type: string,
  data: JsonObject,
  toolCallId: string | undefined,
): readonly CopilotPart[] {
  const { error, totalToolCalls, totalTokens, durationMs } = data;
  const isFailed = type === "subagent.failed";
  const outcome = isFailed ? "failed" : data.cancelled === true ? "cancelled" : undefined;
  const end = parts.turnEndPart(outcome, { error, totalToolCalls, totalTokens, durationMs });
  const result = () => ({ text: textField(data, "error") ?? "" });
  const job = { agentId: undefined, toolCallId, outcome: isFailed ? "failed" : "refused", result } as const;
  return outcome === undefined ? [end] : [end, { is: "job end", ...job }];
}

function shutdownParts(data: JsonObject): readonly CopilotPart[] {
  const { shutdownType, errorReason: reason = "shutdown", sessionStartTime: since } = data;
  const end = parts.turnEndPart(shutdownType === "error" ? "failed" : "cancelled", { reason });
  const metrics = Object.entries(objectField(data, "modelMetrics"));
  const totals = metrics.map(([model, metric], block): CopilotPart => {
    const usage = copilot.usageOf(objectField(isJsonObject(metric) ? metric : {}, "usage"));
    return { is: "total", block, model, usage, since };
  });
  const model = textField(data, "currentModel");
  // Some versions report the tokens of all models together, without those of a cache in the input.
  if (totals.length === 0 && model !== undefined && isJsonObject(data.tokenDetails))
    totals.push({ is: "total", block: 0, model, usage: copilot.usageOfDetails(data.tokenDetails), since });
  return [end, ...totals];
}
