import { recordsOf } from "../../../application/questions/json-list.js";
import type { SessionQuery } from "../../../application/questions/list-sessions.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { InspectorSessionItem } from "../../../domain/session/session.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { hasName, longestPart, sessionName, typedName, unescaped } from "../text/session-names.js";
import { CommandLineError, NOTHING_MATCHED } from "../text/terminal.js";
import { listOf } from "./histories.js";

type ListsSessions = Pick<InspectorUseCases, "listSessions">;

const MOST_NAMED = 5;

/**
 * Accepts an id, the beginning of an id, or either after its tenant, such as `acme/3f2a`; also in the form that commands and addresses of
 * the page print. A complete id wins over a beginning.
 * @param inTenant the tenant of a name without one. Default is any
 * @throws CommandLineError if no session or several match
 */
export async function findSession(
  useCases: ListsSessions,
  typed: string,
  signal: AbortSignal,
  inTenant?: string,
): Promise<InspectorSessionItem> {
  const { id, tenant = inTenant } = typedName(typed);
  const name = { id, tenant };
  if (id === "") throw new CommandLineError("Name a session by its id, or as tenant/session.");
  const list = async (query: SessionQuery) =>
    recordsOf<InspectorSessionItem>(await listOf(useCases, query, signal));
  let matching = await list({ tenantId: tenant, sessionId: id });
  if (matching.length === 0) {
    const similar = (await list({ text: longestPart(name) })).filter((one) => hasName(one, name));
    const complete = similar.filter(({ sessionId }) => sessionId === id);
    matching = complete.length > 0 ? complete : similar;
  }
  const [session, ...others] = matching;
  if (session === undefined) {
    throw new CommandLineError(
      `There is no session "${visibleText(typed)}". "agent-inspector list" prints the sessions.`,
      { exitCode: NOTHING_MATCHED },
    );
  }
  if (others.length === 0) return session;
  const names = matching.slice(0, MOST_NAMED).map(sessionName);
  const more = matching.length > names.length ? `, and ${matching.length - names.length} more` : "";
  throw new CommandLineError(
    `"${visibleText(typed)}" may be any of ${matching.length} sessions: ${names.join(", ")}${more}. Name one of them.`,
  );
}

/**
 * Accepts the id of the tenant, or the folder of its project: commands print either.
 * @param filter narrows the tenant's sessions further
 */
export async function tenantQuery(
  useCases: ListsSessions,
  typed: string | undefined,
  filter: string | undefined,
  signal: AbortSignal,
): Promise<Pick<SessionQuery, "tenantId" | "filter">> {
  if (typed === undefined) return { filter };
  const tenantId = unescaped(typed);
  const hasAny = async (query: SessionQuery) =>
    (await recordsOf(await listOf(useCases, { ...query, window: { limit: 1 } }, signal))).length > 0;
  const term = `tenant:"${tenantId.replace(/["\\]/g, "\\$&")}"`;
  if (tenantId === "" || (await hasAny({ tenantId })) || !(await hasAny({ filter: term })))
    return { tenantId, filter };
  return { filter: filter === undefined ? term : `${term} (${filter})` };
}
