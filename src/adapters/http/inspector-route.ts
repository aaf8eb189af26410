import { type Context, Hono } from "hono";
import type { ExportedFile, ExportReadOptions } from "../../application/export/export-session.js";
import {
  type AnswerForm,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
} from "../../application/questions/endpoints.js";
import type {
  JsonList,
  ListOptions,
  RevisedAnswer,
  UnchangedList,
} from "../../application/questions/json-list.js";
import { type ParameterTexts, requestOf } from "../../application/questions/requests.js";
import type { InspectorUseCases } from "../../application/questions/use-cases.js";
import { onceMore } from "../../application/records/retry-once.js";
import type { SearchReadOptions } from "../../application/search/search-read-options.js";
import { type AccessDecision, accessOf, LateDecisionError } from "../../application/sources/decide-access.js";
import type { InspectorAccess, TenantScope } from "../../application/sources/scope.js";
import { fileBody, fileHeaders } from "./file-body.js";
import { jsonListBody } from "./json-list-body.js";
import { spellsRoute } from "./literal-path.js";
import {
  ACCESS_FAILED,
  ACCESS_LATE,
  METHOD_NOT_ALLOWED,
  type Problem,
  problemOf,
  SOURCE_CHANGED,
  unknownPath,
} from "./problem.js";
import { SourceWait } from "./source-wait.js";

/**
 * Receives every failure that the client did not cause; `path` has no query. A source that changed during reading is not a failure if the
 * answer can report it. Errors of the function itself, also later ones, are only logged.
 */
export type OnInspectorError = (
  error: unknown,
  request: { readonly method: string; readonly path: string },
) => void;

export interface InspectorRouteSettings {
  /** Responses do not contain the cause of a failure. Default writes it to standard error. */
  readonly onError: OnInspectorError;
  /**
   * Maximum wait for the source, in milliseconds: until the first byte, then for each batch, and before that for `access`. A timeout
   * aborts the source's signal; the answer is 503, or is aborted. From 1 to 2147483647, or `Infinity`. Default is 60,000.
   */
  readonly timeoutMs: number;
  /**
   * Decides for each request which data its caller may access. Default is everything: there is no authentication.
   * @example
   * access: async (c) => {
   *   const user = await userOf(c.req.header("Authorization"));
   *   return user === undefined ? c.text("Who are you?", 401) : { tenants: user.tenants };
   * }
   */
  readonly access?: DecideAccess | undefined;
}

interface UseCase {
  execute(request: unknown, options: AnswerOptions): unknown;
}

type AnswerOptions = ListOptions & SearchReadOptions & ExportReadOptions;

const JSON_HEADERS = { "Content-Type": "application/json; charset=utf-8" };

const EVERYTHING: InspectorAccess = { tenants: "all" };

/**
 * `docs/openapi.yaml` describes this API. A path that does not spell the mount and the endpoint literally is 404: no other spelling
 * bypasses a guard of the host.
 * @param settings their `onError` must not throw or reject
 */
export function inspectorRoute(useCases: InspectorUseCases, settings: InspectorRouteSettings): Hono {
  const { onError, access, timeoutMs } = settings;
  const app = new Hono();

  /** Every handler requires the allowed scope as an argument, so no handler runs without `access`. */
  const admit = (handle: (c: Context, tenants: TenantScope) => Response | Promise<Response>) => {
    return async (c: Context): Promise<Response> => {
      let admitted: InspectorAccess | Response;
      try {
        admitted = access === undefined ? EVERYTHING : await accessOf(c, access, timeoutMs);
      } catch (error) {
        onError(error, { method: c.req.method, path: c.req.path });
        return answerProblem(c, error instanceof LateDecisionError ? ACCESS_LATE : ACCESS_FAILED);
      }
      return "tenants" in admitted ? handle(c, admitted.tenants) : admitted;
    };
  };

  // Before the response exists: Hono is slower if its headers change later.
  app.use("*", async (c, next) => {
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cache-Control", "no-cache, private");
    await next();
  });
  const endpoints = Object.entries(ENDPOINTS) as [EndpointId, Endpoint][];
  const nothing = unknownPath(endpoints.map(([, { path }]) => pathPattern(path)));
  for (const [id, endpoint] of endpoints) {
    const path = pathPattern(endpoint.path);
    const useCase = useCases[endpoint.use] as UseCase;
    const handle = (c: Context, tenants: TenantScope) => {
      if (!spellsRoute(c)) return answerProblem(c, nothing);
      return answer(c, endpoint.answer, settings, async (options) =>
        useCase.execute(requestOf(id, textsOf(c), tenants), options),
      );
    };
    app.get(path, admit(handle));
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
    admit((c) => answerProblem(c, nothing)),
  );
  return app;
}

const pathPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** As Hono decodes them: a reading of our own could differ from that of a guard in front of us. */
function textsOf(c: Context): ParameterTexts {
  const named = Object.entries(c.req.param()).map(([name, text]) => [name, [text]] as const);
  return { ...c.req.queries(), ...Object.fromEntries(named) };
}

interface Content {
  readonly headers?: Readonly<Record<string, string>>;
  readonly revision?: string | undefined;
  readonly isUnchanged?: boolean;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null;
}

async function answer(
  c: Context,
  form: AnswerForm,
  { onError, timeoutMs }: InspectorRouteSettings,
  find: (options: AnswerOptions) => Promise<unknown>,
): Promise<Response> {
  const wait = new SourceWait(c.req.raw.signal, timeoutMs);
  const report = (error: unknown) => {
    if (!wait.isLeft) onError(error, { method: c.req.method, path: c.req.path });
  };
  const ifNoneMatch = c.req.header("If-None-Match");
  const has = (revision: string) => isNamedBy(ifNoneMatch, revision);
  const prepare = async (): Promise<Content> => {
    const onProgress = () => wait.goesOn();
    const answer = await find({ signal: wait.signal, has, onFailure: report, onProgress });
    const isHead = c.req.method === "HEAD";
    if (form.kind === "file") {
      const file = answer as ExportedFile;
      return { headers: fileHeaders(file), body: isHead ? null : await fileBody(file, wait, report) };
    }
    if (form.kind === "value") return { body: JSON.stringify(answer) };
    const revised = answer as JsonList | RevisedAnswer<unknown> | UnchangedList;
    const { revision, isUnchanged } = revised;
    if (isUnchanged) return { revision, isUnchanged, body: null };
    if ("value" in revised) return { revision, body: JSON.stringify(revised.value) };
    return { revision, body: isHead ? null : await jsonListBody(form.member, revised, wait, report) };
  };
  try {
    const { headers = JSON_HEADERS, revision, isUnchanged, body } = await wait.for(onceMore(prepare));
    // Not earlier: a client would cache a problem under the answer's entity tag, and a 304 would confirm it.
    if (revision !== undefined) c.header("ETag", entityTag(revision));
    if (isUnchanged) return c.body(null, 304);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return body === null ? c.body(null) : c.body(body);
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

/** Weak entity tag (RFC 9110 section 8.8.3). */
function entityTag(revision: string): string {
  return `W/"${encodeURIComponent(revision)}"`;
}

/** `If-None-Match`: RFC 9110 section 13.1.2. */
function isNamedBy(ifNoneMatch: string | undefined, revision: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const wanted = entityTag(revision).slice(2);
  return ifNoneMatch.split(",").some((tag) => {
    const opaque = tag.trim().replace(/^W\//, "");
    return opaque === "*" || opaque === wanted;
  });
}

/**
 * Returns a scope, or a `Response` to send instead of an answer. It is called once for every request below the mount, before anything is
 * read, also for `/health`, unknown paths and other methods than GET. A throw or any other value is 500 without data; a timeout after
 * `timeoutMs` is 503.
 */
export type DecideAccess = AccessDecision<Context>;
