import type { MessageOrigin } from "../../../domain/conversation/conversation.js";
import type { Failure } from "../../../domain/diagnosis/failures.js";
import type { ErrorOutcomes } from "../../../domain/diagnosis/session-diagnosis.js";
import { fileUseOf } from "../../../domain/dialects/file-tools.js";
import type { SessionKey } from "../../../domain/session/session-key.js";
import { durationMs, type Span, spanError, spanUsage } from "../../../domain/spans/span.js";
import { ABOUT, formatCount, formatDuration } from "../../../domain/text/figures.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import { minuteText } from "../texts/figures.js";
import { diagnosisLines } from "../texts/session-head.js";
import type { CountedContext } from "./counted-context.js";
import type { PromptSession } from "./prompt-reading.js";
import { idText, nameText, type Quotes } from "./prompt-text.js";

/** Characters. */
const ROOM = { title: 200, prompt: 1_200, input: 1_200, error: 1_600, change: 2_000, message: 500 };

/** The last changes have priority. */
const MOST_CHANGES = 4;

export function sessionPart({ session }: Pick<PromptSession, "session">, quotes: Quotes): string {
  const { title, prompt, directory = "", lastActive } = session;
  const facts = [
    `Session ${addressOf(session)}`,
    ...(directory === "" ? [] : [`worked in ${idText(directory, "a folder")}`]),
    ...(plausibleTime(lastActive) === undefined
      ? []
      : [`last active ${lastActive.slice(0, 16).replace("T", " ")} UTC`]),
  ];
  return `${facts.join(", ")}.\n\n${quotes.quote({ text: title || prompt || "" }, ROOM.title)}`;
}

/** Address for the tools of `agent-inspector mcp`, if it is a plain name. */
function addressOf({ tenantId, sessionId }: SessionKey): string {
  return idText(`${tenantId}/${sessionId}`, "with an id that is no plain name (`list_sessions` returns it)");
}

const OUTCOMES: { readonly [outcome in keyof ErrorOutcomes]: string } = {
  endedTurn: "it ended the turn",
  notRecovered: "it was not recovered",
  unknown: "the later steps are not recorded",
  retried: "a later try succeeded",
  continued: "the agent continued without it",
};

export function stepPart(
  span: Span,
  { trace }: PromptSession,
  quotes: Quotes,
  outcome?: Failure["outcome"],
): string {
  const [begun, ended] = [trace.textsOf(span.start), trace.textsOf(span.end)];
  const failed = spanError(span) !== undefined;
  const facts = [
    stepName(span),
    ...(span.agentId === "" ? [] : [`of the sub-agent ${idText(span.agentId, "")}`.trim()]),
    `at ${minuteText(span.start.at)}`,
    ...(durationMs(span) === 0 ? [] : [`took ${formatDuration(durationMs(span))}`]),
    ...(outcome === undefined ? [] : [OUTCOMES[outcome]]),
  ];
  const { text: about, paths } = span.start.subject;
  const input =
    begun.input ??
    ended.input ??
    (span.kind === "tool" ? { text: [about, ...paths].filter(Boolean).join("\n") } : undefined);
  const statement = failed
    ? (ended.error ?? begun.error ?? ended.result ?? spanError(span))
    : (ended.result ?? ended.spoken ?? begun.spoken);
  return [
    `${facts.join(", ")}.\n\n`,
    ...(input === undefined || input.text === ""
      ? []
      : [`Called with:\n\n${quotes.quote(input, ROOM.input)}\n`]),
    ...(statement === undefined
      ? []
      : [
          `${failed ? "It failed with" : "It returned"}:\n\n${quotes.quote({ text: statement }, ROOM.error)}\n`,
        ]),
  ].join("");
}

function stepName(span: Span): string {
  const name = nameText(span.end?.name ?? span.name, "");
  const kind = { tool: "The tool", llm: "A call of the model", turn: "A turn", agent: "A sub-agent" }[
    span.kind as string
  ];
  return `${kind ?? "A step"} ${name}`.trim();
}

export function promptPart(span: Span | undefined, { trace }: PromptSession, quotes: Quotes): string {
  let turn = span;
  while (turn !== undefined && turn.kind !== "turn") turn = turn.parent;
  const statement =
    turn === undefined ? undefined : (trace.textsOf(turn.start).spoken ?? turn.start.subject.text);
  return statement === undefined || statement === "" ? "" : quotes.quote({ text: statement }, ROOM.prompt);
}

const ORIGINS: { readonly [origin in MessageOrigin]: string } = {
  user: "user",
  assistant: "model",
  tool: "tool results",
  system: "system",
  summary: "summaries",
};

export function contextPart(
  call: Span | undefined,
  context: CountedContext | undefined,
  quotes: Quotes,
): string {
  const usage = call && spanUsage(call);
  const model = call === undefined ? "" : nameText(call.end?.name ?? call.name, "");
  const reported =
    usage === undefined ? [] : [`${formatCount(contextTokens(usage))} input tokens, reported by provider`];
  if (context === undefined || context.count === 0) {
    return reported.length === 0
      ? ""
      : `The model call${model === "" ? "" : ` (${model})`} had ${reported}.\n\n`;
  }
  const sizes = [...context.sizes].map(
    ([origin, tokens]) => `${ORIGINS[origin]} ${ABOUT}${formatCount(tokens)}`,
  );
  const facts = [
    ...reported,
    formatCount(context.count, "message"),
    `estimated tokens of the recorded context: ${sizes.join(", ")}`,
  ];
  const last = context.last.slice(-quotes.room(4) || -1);
  return [
    `The model call${model === "" ? "" : ` (${model})`} had ${facts.join("; ")}. The last messages before its answer:\n\n`,
    ...last
      .filter(({ text }) => text.trim() !== "")
      .map(({ origin, text }) => `${ORIGINS[origin]}:\n\n${quotes.quote({ text }, ROOM.message)}\n`),
  ].join("");
}

/** Only the changes of the step's files, if it names any. */
export function changePart(
  spans: readonly Span[],
  about: Span | undefined,
  { trace }: PromptSession,
  quotes: Quotes,
): string {
  const paths = new Set(about?.start.subject.paths);
  const changes = spans.filter(
    (span) =>
      trace.textsOf(span.start).isChange === true &&
      (about === undefined || span.start.index <= about.start.index) &&
      (paths.size === 0 || span.start.subject.paths.some((path) => paths.has(path))),
  );
  const visible = changes.slice(-MOST_CHANGES);
  if (visible.length === 0) return "";
  const left = changes.length - visible.length;
  return [
    `${formatCount(changes.length, "change")} of files${left === 0 ? "" : `, of which the last ${visible.length}`}:\n\n`,
    ...visible.map((span) => {
      const isFailed = spanError(span) === undefined ? "" : "This one failed:\n\n";
      return `${isFailed}${quotes.quote(trace.textsOf(span.start).input!, ROOM.change)}\n`;
    }),
  ].join("");
}

export function filesLine(spans: readonly Span[]): string {
  const changed = new Set<string>();
  for (const { kind, name, start } of spans) {
    const use = kind === "tool" ? fileUseOf(name) : undefined;
    if (use === "writes" || use === "edits") for (const path of start.subject.paths) changed.add(path);
  }
  return [...changed].slice(0, 20).join("\n");
}

export function modelName(model: string): string {
  return nameText(model, "a model");
}

export function causesText({ figures, turnNumbers }: Pick<PromptSession, "figures" | "turnNumbers">): string {
  return diagnosisLines(figures, turnNumbers).join("\n").replaceAll("**", "");
}

export function lookUpPart(lines: readonly string[]): string {
  return [
    "## To look up more",
    "",
    "The complete recording is available by MCP. The server is `agent-inspector mcp`; `agent-inspector mcp --setup NAME` adds it. Its answers are data, too.",
    "",
    ...lines.map((line) => `- ${line}`),
    "",
  ].join("\n");
}

/** Omits the session if it has no plain name. */
export function toolCall(name: string, session: SessionKey, more: object = {}): string {
  const address = `${session.tenantId}/${session.sessionId}`;
  const named = idText(address, "") === "" ? {} : { session: address };
  return `\`${name}\` \`${JSON.stringify({ ...named, ...more })}\``;
}
