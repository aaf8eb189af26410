import { promptBeside } from "../text/excerpt.js";
import { formatInstant } from "../trace/instant.js";
import type { ListedSession, ModelUsage } from "../usage/model-usage.js";
import { type InspectorSessionItem, type TokenUsage, totalTokens } from "./session.js";

/** What is derived of a session for the list; instants are milliseconds since the epoch. What is not known is `undefined`. */
export interface DerivedSession
  extends Pick<InspectorSessionItem, "tenantId" | "sessionId" | "userId" | "turns" | "status"> {
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
  /** It counts where the session waits for a person. Default is that nothing says it. */
  readonly waitingFor?: string | undefined;
  readonly warnings: number;
  readonly usageByModel: readonly ModelUsage[];
}

type ItemInProgress = { -readonly [Name in keyof ListedSession]: ListedSession[Name] };

/**
 * The session as an element of the list: without what is not known (a call that nobody counted used no 0 tokens), and without a prompt
 * that its title says already. Members are added one by one: a list makes many elements, and spreads are slow.
 */
export function listedSession(session: DerivedSession): ListedSession {
  const { tenantId, sessionId, userId, lastActive, turns, usage, status } = session;
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
