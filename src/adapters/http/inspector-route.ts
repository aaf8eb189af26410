import { type Context, Hono } from "hono";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { InspectorUseCases } from "../../application/questions/inspector-use-cases.js";
import type { JsonList, ListOptions, UnchangedList } from "../../application/questions/json-list.js";
import { onceMore } from "../../application/questions/once-more.js";
import type { InspectorAccess, TenantScope } from "../../application/sources/scope.js";
import { accessOf, type DecideAccess } from "./access.js";
import { entityTag, isNamedBy } from "./entity-tag.js";
import { jsonListBody } from "./json-list-body.js";
import {
  ACCESS_FAILED,
  METHOD_NOT_ALLOWED,
  type Problem,
  problemOf,
  SOURCE_CHANGED,
  UNKNOWN_PATH,
} from "./problem.js";
import {
  parseComparison,
  parseContextRequest,
  parseMessagesRequest,
  parseProvenanceRequest,
  parseSearchRequest,
  parseSessionQuery,
  parseSessionRequest,
} from "./query.js";
import { SourceWait } from "./source-wait.js";

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
  /** Default is that everyone sees everything. */
  readonly access?: DecideAccess | undefined;
}

/** Whose sessions a request may see is a part of what the use cases are asked for: they hold to it. */
type FindList = (c: Context, tenants: TenantScope, options: ListOptions) => Promise<JsonList | UnchangedList>;

type Find = (c: Context, tenants: TenantScope, options: ReadOptions) => Promise<object>;

const JSON_TYPE = "application/json; charset=utf-8";

const EVERYTHING: InspectorAccess = { tenants: "all" };

/** The inspector's HTTP API, to be mounted at `/__inspector`. `docs/openapi.yaml` describes it. */
export function inspectorRoute(useCases: InspectorUseCases, settings: InspectorRouteSettings): Hono {
  const { onError, access } = settings;
  const app = new Hono();

  const lists: readonly (readonly [path: string, member: string, find: FindList])[] = [
    [
      "/sessions",
      "sessions",
      (c, tenants, options) =>
        useCases.listSessions.execute(parseSessionQuery(c.req.queries(), tenants), options),
    ],
    [
      "/sessions/:sessionId/trace",
      "envelopes",
      (c, tenants, options) => useCases.getSessionTrace.execute(requestOf(c, tenants), options),
    ],
    [
      "/sessions/:sessionId/orchestration",
      "agents",
      (c, tenants, options) => useCases.getSessionOrchestration.execute(requestOf(c, tenants), options),
    ],
    [
      "/sessions/:sessionId/messages",
      "messages",
      (c, tenants, options) =>
        useCases.getSessionMessages.execute(
          parseMessagesRequest(sessionIdOf(c), c.req.queries(), tenants),
          options,
        ),
    ],
  ];

  /** What is small enough to be answered in one piece. */
  const findings: readonly (readonly [path: string, find: Find])[] = [
    [
      "/sessions/:sessionId/context",
      (c, tenants, options) =>
        useCases.getCallContext.execute(
          parseContextRequest(sessionIdOf(c), c.req.queries(), tenants),
          options,
        ),
    ],
    [
      "/sessions/:sessionId/provenance",
      (c, tenants, options) =>
        useCases.getMessageProvenance.execute(
          parseProvenanceRequest(sessionIdOf(c), c.req.queries(), tenants),
          options,
        ),
    ],
    [
      "/compare",
      (c, tenants, options) =>
        useCases.compareSessions.execute(parseComparison(c.req.queries(), tenants), options),
    ],
    [
      "/search",
      (c, tenants, options) =>
        useCases.searchRecords.execute(parseSearchRequest(c.req.queries(), tenants), options),
    ],
  ];

  /** Every handler is given what may be seen, so none is reached past `access`. */
  const admit = (handle: (c: Context, tenants: TenantScope) => Response | Promise<Response>) => {
    return async (c: Context): Promise<Response> => {
      let admitted: InspectorAccess | Response;
      try {
        admitted = access === undefined ? EVERYTHING : await accessOf(c, access);
      } catch (error) {
        onError(error, { method: c.req.method, path: c.req.path });
        return answerProblem(c, ACCESS_FAILED);
      }
      return "tenants" in admitted ? handle(c, admitted.tenants) : admitted;
    };
  };

  // Set before the response is made: Hono sends one whose headers change later in a slower way.
  app.use("*", async (c, next) => {
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cache-Control", "no-cache, private");
    await next();
  });
  for (const [path, member, find] of lists) {
    const handle = (c: Context, tenants: TenantScope) =>
      answerList(c, member, (options) => find(c, tenants, options), settings);
    app.get(path, admit(handle));
  }
  app.get(
    "/sessions/:sessionId/summary",
    admit((c, tenants) =>
      answer(c, settings, async (wait) => {
        const ifNoneMatch = c.req.header("If-None-Match");
        const options = { signal: wait.signal, has: (revision: string) => isNamedBy(ifNoneMatch, revision) };
        const request = requestOf(c, tenants);
        const found = await wait.for(onceMore(() => useCases.summarizeSession.execute(request, options)));
        if (found.revision !== undefined) c.header("ETag", entityTag(found.revision));
        if (found.isUnchanged) return c.body(null, 304);
        c.header("Content-Type", JSON_TYPE);
        return c.body(JSON.stringify(found.summary));
      }),
    ),
  );
  for (const [path, find] of findings) {
    const handle = (c: Context, tenants: TenantScope) =>
      answer(c, settings, async (wait) => {
        const found = await wait.for(onceMore(async () => find(c, tenants, { signal: wait.signal })));
        c.header("Content-Type", JSON_TYPE);
        return c.body(JSON.stringify(found));
      });
    app.get(path, admit(handle));
  }
  app.get(
    "/health",
    admit((c) => answer(c, settings, async () => c.json(useCases.checkHealth.execute()))),
  );
  for (const path of [
    ...lists.map(([path]) => path),
    ...findings.map(([path]) => path),
    "/sessions/:sessionId/summary",
    "/health",
  ]) {
    app.all(
      path,
      admit((c) => {
        c.header("Allow", "GET, HEAD");
        return answerProblem(c, METHOD_NOT_ALLOWED);
      }),
    );
  }
  app.all(
    "*",
    admit((c) => answerProblem(c, UNKNOWN_PATH)),
  );
  return app;
}

function answerList(
  c: Context,
  member: string,
  find: (options: ListOptions) => Promise<JsonList | UnchangedList>,
  settings: InspectorRouteSettings,
): Promise<Response> {
  return answer(c, settings, async (wait, report) => {
    const ifNoneMatch = c.req.header("If-None-Match");
    const options = {
      signal: wait.signal,
      has: (revision: string) => isNamedBy(ifNoneMatch, revision),
    };
    const prepare = async () => {
      const list = await find(options);
      const isWithoutBody = list.isUnchanged || c.req.method === "HEAD";
      return { list, body: isWithoutBody ? undefined : await jsonListBody(member, list, wait, report) };
    };
    const { list, body } = await wait.for(onceMore(prepare));
    // Set only now: a client would cache a problem under the list's entity tag, and a 304 would confirm it.
    if (list.revision !== undefined) c.header("ETag", entityTag(list.revision));
    if (list.isUnchanged) return c.body(null, 304);
    c.header("Content-Type", JSON_TYPE);
    return body === undefined ? c.body(null) : c.body(body);
  });
}

/** Answers with what is made, or with the problem that came up; a failure that is not the client's is reported. */
async function answer(
  c: Context,
  { onError, timeoutMs }: InspectorRouteSettings,
  make: (wait: SourceWait, report: (error: unknown) => void) => Promise<Response>,
): Promise<Response> {
  const wait = new SourceWait(c.req.raw.signal, timeoutMs);
  const report = (error: unknown) => {
    if (!wait.isLeft) onError(error, { method: c.req.method, path: c.req.path });
  };
  try {
    return await make(wait, report);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.status >= 500 && problem !== SOURCE_CHANGED) report(error);
    return answerProblem(c, problem);
  }
}

function answerProblem(c: Context, problem: Problem): Response {
  c.header("Content-Type", "application/problem+json; charset=utf-8");
  return c.body(JSON.stringify(problem), problem.status);
}

function requestOf(c: Context, tenants: TenantScope) {
  return parseSessionRequest(sessionIdOf(c), c.req.queries(), tenants);
}

function sessionIdOf(c: Context): string {
  return c.req.param("sessionId") ?? "";
}
