import type { JsonList } from "../../application/questions/json-list.js";
import type { ListSessions, SessionQuery } from "../../application/questions/list-sessions.js";
import type { InspectorSessionItem } from "../../domain/session/session.js";
import { CommandLineError } from "./command-line-error.js";
import { plainText } from "./terminal-text.js";

/** How many sessions an error names. */
const MOST_NAMED = 5;

/**
 * The session that somebody means by its id, the beginning of its id, or either of them behind its tenant: `acme/3f2a`. A whole id goes
 * before one that only begins so.
 *
 * @throws CommandLineError where it means none, or several
 */
export async function findSession(
  listSessions: Pick<ListSessions, "execute">,
  name: string,
  signal: AbortSignal,
): Promise<InspectorSessionItem> {
  const slash = name.indexOf("/");
  const tenantId = slash === -1 ? undefined : name.slice(0, slash);
  const id = name.slice(slash + 1);
  if (id === "") throw new CommandLineError("Name a session by its id, or as tenant/session.");
  const find = (query: SessionQuery) => sessionsOf(listSessions, { tenantId, ...query }, signal);
  let found = await find({ sessionId: id });
  if (found.length === 0) {
    found = (await find({ text: id })).filter(({ sessionId }) => sessionId.startsWith(id));
  }
  const [session, ...others] = found;
  if (session === undefined) {
    throw new CommandLineError(
      `There is no session "${plainText(name)}". "agent-inspector list" prints those that there are.`,
    );
  }
  if (others.length === 0) return session;
  const named = found.slice(0, MOST_NAMED).map((one) => plainText(`${one.tenantId}/${one.sessionId}`));
  const more = found.length > named.length ? `, and ${found.length - named.length} more` : "";
  throw new CommandLineError(
    `"${plainText(name)}" may be any of ${found.length} sessions: ${named.join(", ")}${more}. Name one of them.`,
  );
}

const decoder = new TextDecoder();

async function sessionsOf(
  listSessions: Pick<ListSessions, "execute">,
  query: SessionQuery,
  signal: AbortSignal,
): Promise<readonly InspectorSessionItem[]> {
  const list = await listSessions.execute(query, { signal });
  if (list.isUnchanged) throw new TypeError("The list is unchanged for a caller that has none.");
  return parsed(list);
}

async function parsed({ texts }: JsonList): Promise<InspectorSessionItem[]> {
  const sessions: InspectorSessionItem[] = [];
  for await (const text of texts) {
    for (const session of JSON.parse(`[${decoder.decode(text)}]`) as InspectorSessionItem[])
      sessions.push(session);
  }
  return sessions;
}
