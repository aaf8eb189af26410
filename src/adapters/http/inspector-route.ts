import { type Context, Hono } from "hono";
import type { CheckHealth } from "../../application/check-health.js";
import { SourceChangedError } from "../../application/errors.js";
import type { GetSessionMessages } from "../../application/get-session-messages.js";
import type { GetSessionOrchestration } from "../../application/get-session-orchestration.js";
import type { GetSessionTrace } from "../../application/get-session-trace.js";
import type { JsonList, ListOptions, UnchangedList } from "../../application/json-list.js";
import type { ListSessions } from "../../application/list-sessions.js";
import { entityTag, isNamedBy } from "./entity-tag.js";
import { jsonListBody } from "./json-list-body.js";
import { METHOD_NOT_ALLOWED, type Problem, problemOf, SOURCE_CHANGED, UNKNOWN_PATH } from "./problem.js";
import { parseSessionQuery, parseSessionRequest } from "./query.js";
import { SourceWait } from "./source-wait.js";

/** The use cases, or what an embedder put in the place of one. */
export interface InspectorUseCases {
  readonly listSessions: Pick<ListSessions, "execute">;
  readonly getSessionTrace: Pick<GetSessionTrace, "execute">;
  readonly getSessionOrchestration: Pick<GetSessionOrchestration, "execute">;
  readonly getSessionMessages: Pick<GetSessionMessages, "execute">;
  readonly checkHealth: Pick<CheckHealth, "execute">;
}

/**
 * Called with every failure that is not the client's: `path` is the request's, without its query. What changed while it was
 * being read is none as long as the answer can say so. What the function itself throws, also later, is only noted.
 */
export type OnInspectorError = (
  error: unknown,
  request: { readonly method: string; readonly path: string },
) => void;

export interface InspectorRouteSettings {
  /** It neither throws nor rejects. */
  readonly onError: OnInspectorError;
  /** How long a source may take until the first byte of an answer, and then for each batch. Milliseconds, or `Infinity`. */
  readonly timeoutMs: number;
}

type AnswerList = (c: Context, options: ListOptions) => Promise<JsonList | UnchangedList>;

/** The inspector's HTTP API, to be mounted at `/__inspector`. `docs/openapi.yaml` describes it. */
export function inspectorRoute(useCases: InspectorUseCases, settings: InspectorRouteSettings): Hono {
  const app = new Hono();

  const lists: readonly (readonly [path: string, member: string, answer: AnswerList])[] = [
    [
      "/sessions",
      "sessions",
      (c, options) => useCases.listSessions.execute(parseSessionQuery(queryOf(c)), options),
    ],
    [
      "/sessions/:sessionId/trace",
      "envelopes",
      (c, options) => useCases.getSessionTrace.execute(requestOf(c), options),
    ],
    [
      "/sessions/:sessionId/orchestration",
      "agents",
      (c, options) => useCases.getSessionOrchestration.execute(requestOf(c), options),
    ],
    [
      "/sessions/:sessionId/messages",
      "messages",
      (c, options) => useCases.getSessionMessages.execute(requestOf(c), options),
    ],
  ];

  // Set before the response is made: Hono sends one whose headers change later in a slower way.
  app.use("*", async (c, next) => {
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cache-Control", "no-cache, private");
    await next();
  });
  for (const [path, member, answer] of lists) {
    app.get(path, (c) => answerList(c, member, answer, settings));
  }
  app.get("/health", (c) => c.json(useCases.checkHealth.execute()));
  for (const path of [...lists.map(([path]) => path), "/health"]) {
    app.all(path, (c) => {
      c.header("Allow", "GET, HEAD");
      return answerProblem(c, METHOD_NOT_ALLOWED);
    });
  }
  app.all("*", (c) => answerProblem(c, UNKNOWN_PATH));
  return app;
}

async function answerList(
  c: Context,
  member: string,
  answer: AnswerList,
  { onError, timeoutMs }: InspectorRouteSettings,
): Promise<Response> {
  const wait = new SourceWait(c.req.raw.signal, timeoutMs);
  const report = (error: unknown) => {
    if (!wait.isLeft) onError(error, { method: c.req.method, path: c.req.path });
  };
  const ifNoneMatch = c.req.header("If-None-Match");
  const options = {
    signal: wait.signal,
    has: (revision: string) => isNamedBy(ifNoneMatch, revision),
  };
  const prepare = async () => {
    const list = await answer(c, options);
    const isWithoutBody = list.isUnchanged || c.req.method === "HEAD";
    return { list, body: isWithoutBody ? undefined : await jsonListBody(member, list, wait, report) };
  };
  try {
    const { list, body } = await wait.for(onceMore(prepare));
    // Set only now: a client would cache a problem under the list's entity tag, and a 304 would confirm it.
    if (list.revision !== undefined) c.header("ETag", entityTag(list.revision));
    if (list.isUnchanged) return c.body(null, 304);
    c.header("Content-Type", "application/json; charset=utf-8");
    return body === undefined ? c.body(null) : c.body(body);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status >= 500 && problem !== SOURCE_CHANGED) report(error);
    return answerProblem(c, problem);
  }
}

/** Does something again where the source changed meanwhile: the second time it finds what is there now, or that nothing is. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceChangedError) return work();
    throw error;
  }
}

function answerProblem(c: Context, problem: Problem): Response {
  c.header("Content-Type", "application/problem+json; charset=utf-8");
  return c.body(JSON.stringify(problem), problem.status);
}

function requestOf(c: Context) {
  return parseSessionRequest(c.req.param("sessionId") ?? "", queryOf(c));
}

function queryOf(c: Context): URLSearchParams {
  const at = c.req.url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : c.req.url.slice(at));
}
