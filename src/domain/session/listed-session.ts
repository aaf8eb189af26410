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
  readonly warnings: number;
  readonly usageByModel: readonly ModelUsage[];
}

/** A session as an element of the list: without what is not known (a call that nobody counted used no 0 tokens), and without a prompt that its title says already. */
export function listedSession(session: DerivedSession): ListedSession {
  const { tenantId, sessionId, userId, lastActive, turns, usage, status } = session;
  const { title, agentId, directory, createdAt, errors, model, lastAnswer, warnings, usageByModel } = session;
  const prompt = promptBeside(title, session.prompt);
  const tokens = totalTokens(usage);
  return {
    tenantId,
    sessionId,
    userId,
    lastActive: formatInstant(lastActive),
    turns,
    tokens,
    status,
    ...(title === undefined ? {} : { title }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(directory === undefined ? {} : { directory }),
    ...(createdAt === undefined ? {} : { createdAt: formatInstant(createdAt) }),
    ...(tokens === 0 ? {} : { usage }),
    ...(errors === undefined ? {} : { errors }),
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(lastAnswer === undefined ? {} : { lastAnswer }),
    ...(warnings === 0 ? {} : { warnings }),
    ...(usageByModel.length === 0 ? {} : { usageByModel }),
  };
}
