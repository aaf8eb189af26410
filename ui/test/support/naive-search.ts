import type { Hono } from "hono";
import { isJsonObject, type JsonObject } from "../../../src/domain/json.js";
import { type ContentKind, DEFAULT_KINDS, parseSearchQuery } from "../../../src/domain/search-query.js";

/** How many sessions one answer looks through. */
const SESSIONS = 50;

/** Answers searches from the lists of the same application: every string of every record is looked at. */
export function addNaiveSearch(app: Hono): void {
  app.get("/__inspector/search", async ({ req, json, body }) => {
    const list = async (path: string, member: string): Promise<JsonObject[]> =>
      ((await (await app.request(`/__inspector/${path}`)).json()) as { [name: string]: JsonObject[] })[
        member
      ]!;
    const { q = "", tenantId, sessionId, limit = "100", cursor = "0.0" } = req.query();
    const pattern = patternOf(q);
    if (pattern === undefined) {
      const problem = {
        type: "about:blank",
        title: "Bad Request",
        status: 400,
        detail: "The pattern is not complete: missing ).",
      };
      return body(JSON.stringify(problem), 400, { "content-type": "application/problem+json" });
    }
    const kinds = req.query("in")?.split(",") ?? DEFAULT_KINDS;
    const all = (await list("sessions?limit=1000", "sessions")).filter(
      (session) =>
        (tenantId ?? session.tenantId) === session.tenantId &&
        (sessionId ?? session.sessionId) === session.sessionId,
    );
    const hits: object[] = [];
    const [start = 0, skip = 0] = cursor.split(".").map(Number);
    let at = start;
    let next: string | null = null;
    for (; at < Math.min(all.length, start + SESSIONS) && next === null; at++) {
      const { tenantId: tenant, sessionId: id } = all[at]! as { tenantId: string; sessionId: string };
      const of = `sessions/${encodeURIComponent(id)}`;
      const query = `?tenantId=${encodeURIComponent(tenant)}`;
      const found = [
        ...(await list(`${of}/trace${query}`, "envelopes")).flatMap((envelope) => {
          const { type, toolName, agentId } = envelope.event as JsonObject;
          const { sequence, timestamp } = envelope;
          return hitsOf(envelope.event, pattern, kinds).map((hit) => ({
            ...hit,
            sequence,
            timestamp,
            type,
            toolName,
            agentId,
          }));
        }),
        ...(await list(`${of}/messages${query}`, "messages")).flatMap((message, messageIndex) =>
          hitsOf(message, pattern, kinds).map((hit) => ({ ...hit, messageIndex, role: message.role })),
        ),
      ].map((hit) => ({ tenantId: tenant, sessionId: id, ...hit }));
      const from = at === start ? skip : 0;
      const room = Number(limit) - hits.length;
      hits.push(...found.slice(from, from + room));
      if (found.length > from + room) next = `${at}.${from + room}`;
    }
    if (next === null && at < all.length) next = `${at}.0`;
    const searched = next === null ? all.length : Number(next.split(".")[0]);
    return json({
      hits,
      searched: { sessions: searched, bytes: searched * 1_000_000 },
      total: { sessions: all.length, bytes: all.length * 1_000_000 },
      nextCursor: next,
    });
  });
}

function patternOf(q: string): RegExp | undefined {
  const query = parseSearchQuery(q);
  if (query === undefined) return undefined;
  const text = query.kind === "pattern" ? query.text : query.text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  try {
    return new RegExp(text, query.isExact ? "g" : "gi");
  } catch {
    return undefined;
  }
}

function hitsOf(record: unknown, pattern: RegExp, kinds: readonly string[]) {
  const found = new Map<ContentKind, { text: string; matches: number }>();
  const visit = (value: unknown, kind: ContentKind): void => {
    if (typeof value === "string") {
      const matches = [...value.matchAll(pattern)].length;
      const known = found.get(kind);
      if (matches > 0)
        found.set(kind, { text: known?.text ?? value, matches: matches + (known?.matches ?? 0) });
    } else if (Array.isArray(value)) for (const part of value) visit(part, kind);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, kindOf(name, value, kind));
    }
  };
  visit(record, "text");
  return [...found].flatMap(([kind, { text, matches }]) =>
    kinds.includes(kind) ? [{ in: kind, matches, snippet: snippetOf(text, pattern) }] : [],
  );
}

function kindOf(name: string, object: JsonObject, kind: ContentKind): ContentKind {
  if (/^(type|id|role|name|toolName|toolCallId|tool_use_id|model|callId|agentId)$/.test(name)) return "other";
  if (name === "thinking") return "thinking";
  if (name === "input") return object.type === "turn.start" ? "text" : "input";
  if (name === "output" || (name === "content" && object.type === "tool_result")) {
    return object.isError === true || object.is_error === true ? "error" : "output";
  }
  return name === "error" ? "error" : kind;
}

function snippetOf(text: string, pattern: RegExp) {
  const match = text.matchAll(pattern).next().value!;
  const oneLine = (part: string) => part.replace(/\s+/g, " ");
  const before = oneLine(text.slice(Math.max(0, match.index - 50), match.index));
  const matched = oneLine(match[0]);
  const behind = oneLine(text.slice(match.index + match[0].length, match.index + 110));
  return { text: before + matched + behind, start: before.length, end: before.length + matched.length };
}
