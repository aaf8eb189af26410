import { promptBeside } from "../text/excerpt.js";
import { formatInstant } from "../trace/instant.js";
import { type TokenUsage, totalTokens } from "../usage/token-usage.js";
import type { ListedSession, ModelUsage } from "./model-usage.js";
import type { InspectorSessionItem, LiveState } from "./session.js";

/** Instants are milliseconds since the epoch; unavailable facts are `undefined`. */
export interface DerivedSession
  extends Pick<InspectorSessionItem, "tenantId" | "sessionId" | "userId" | "turns" | "status" | "state"> {
  readonly state: LiveState;
  readonly lastActive: number;
  readonly usage: TokenUsage;
  readonly title: string | undefined;
  readonly agentId?: string | undefined;
  readonly directory?: string | undefined;
  readonly createdAt: number | undefined;
  readonly errors: number | undefined;
  readonly model: string | undefined;
  readonly prompt: string | undefined;
  readonly lastAnswer: string | undefined;
  /** Has an effect only if the session waits for a person. */
  readonly waitingFor?: string | undefined;
  readonly warnings: number;
  readonly usageByModel: readonly ModelUsage[];
}

type ItemInProgress = { -readonly [Name in keyof ListedSession]: ListedSession[Name] };

/**
 * Omits unavailable facts, and a prompt that the title repeats. Members are added one by one: a list has many elements, and spreads are
 * slow.
 */
export function listedSession(session: DerivedSession): ListedSession {
  const { tenantId, sessionId, userId, lastActive, turns, usage, status, state } = session;
  const { title, agentId, directory, createdAt, errors, model, lastAnswer, warnings, usageByModel } = session;
  const prompt = promptBeside(title, session.prompt);
  const tokens = totalTokens(usage);
  const item: ItemInProgress = {
    tenantId,
    sessionId,
    userId,
    lastActive: formatInstant(lastActive),
    turns,
    tokens,
    status,
    state,
  };
  if (title !== undefined) item.title = title;
  if (agentId !== undefined) item.agentId = agentId;
  if (directory !== undefined) item.directory = directory;
  if (createdAt !== undefined) item.createdAt = formatInstant(createdAt);
  if (tokens !== 0) item.usage = usage;
  if (errors !== undefined) item.errors = errors;
  if (model !== undefined) item.model = model;
  if (prompt !== undefined) item.prompt = prompt;
  if (lastAnswer !== undefined) item.lastAnswer = lastAnswer;
  if (status === "waiting" && session.waitingFor !== undefined) item.waitingFor = session.waitingFor;
  if (warnings !== 0) item.warnings = warnings;
  if (usageByModel.length !== 0) item.usageByModel = usageByModel;
  return item;
}
