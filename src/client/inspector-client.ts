import {
  type AnswerOf,
  ENDPOINTS,
  type Endpoint,
  type EndpointId,
  type QueryOf,
} from "../application/questions/endpoints.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { FUNCTION, isTextsByName, kindOf, required, TEXT } from "../domain/options/option-kinds.js";
import { errorOfAnswer, InspectorClientError } from "./client-error.js";
import type {
  CallContextAnswer,
  CallContextQuery,
  CompareSessionsQuery,
  ExplainLinesQuery,
  ExportReviewAnswer,
  ExportSessionQuery,
  HealthAnswer,
  LinesExplainedAnswer,
  MessageProvenanceAnswer,
  MessageProvenanceQuery,
  MessagesAnswer,
  ModelAnswer,
  ModelQuery,
  OrchestrationAnswer,
  OverviewAnswer,
  OverviewQuery,
  RecordSearchAnswer,
  ReviewExportQuery,
  SearchRecordsQuery,
  SearchSessionsQuery,
  SessionAgentsQuery,
  SessionComparisonAnswer,
  SessionListAnswer,
  SessionListQuery,
  SessionMessagesQuery,
  SessionOfTenant,
  SessionRecordsQuery,
  SessionSearchAnswer,
  SessionSummaryAnswer,
  SourceListAnswer,
  SourceListQuery,
  Tagged,
  TraceAnswer,
} from "./queries-and-answers.js";

export interface ClientRequest {
  readonly headers: ClientHeaders;
  readonly signal?: AbortSignal;
  readonly cache: "no-store";
}

export interface ClientResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  readonly body?: ReadableStream<Uint8Array> | null;
}

type ClientHeaders = Readonly<Record<string, string>>;

export interface InspectorClientOptions {
  /** Address of the inspector, such as `https://agents.example/__inspector`. A browser also accepts a path of the page's origin. */
  readonly baseUrl: string;
  /** Headers of every request. A function makes them per request, for example for a token that expires. Default is no headers. */
  readonly headers?: ClientHeaders | (() => ClientHeaders | Promise<ClientHeaders>) | undefined;
  /** Default is the platform's. */
  readonly fetch?: ((address: string, request: ClientRequest) => Promise<ClientResponse>) | undefined;
}

const CLIENT_OPTIONS = {
  baseUrl: required(TEXT),
  headers: kindOf(
    "an object of texts by name, or a function",
    (value) => typeof value === "function" || isTextsByName(value),
  ),
  fetch: FUNCTION,
} satisfies OptionTable<InspectorClientOptions>;

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface TaggedCallOptions extends CallOptions {
  /** The `etag` of a previous answer. The call returns `undefined` if that answer has not changed. */
  readonly ifNoneMatch?: string | undefined;
}

type Answered<Answer, Options> = Options extends { readonly ifNoneMatch: string }
  ? Answer | undefined
  : Answer;

/**
 * A client of the inspector's HTTP API. Each method is an operation of `docs/openapi.yaml`. JSON parsing rounds integers above 2^53.
 * @throws InspectorClientError from every method
 * @example
 * const inspector = new InspectorClient({ baseUrl: "http://127.0.0.1:4680/__inspector" });
 * const { sessions } = await inspector.listSessions({ status: "error", limit: 20 });
 * for await (const page of pagesOf((cursor) => inspector.getSessionTrace({ ...sessions[0]!, limit: 1000, cursor })))
 *   console.log(page.envelopes);
 */
export class InspectorClient {
  readonly #base: string;
  readonly #options: InspectorClientOptions;

  /** @throws TypeError for an unknown option, or a value of another kind */
  constructor(options: InspectorClientOptions) {
    this.#options = checkOptions(CLIENT_OPTIONS, options);
    this.#base = this.#options.baseUrl.replace(/\/+$/, "");
  }

  /** Newest activity first. */
  listSessions<O extends TaggedCallOptions>(
    query: SessionListQuery = {},
    options?: O,
  ): Promise<Answered<SessionListAnswer, O>> {
    return this.#call("listSessions", query, options);
  }

  /** Ordered by `sequence`. */
  getSessionTrace<O extends TaggedCallOptions>(
    query: SessionRecordsQuery,
    options?: O,
  ): Promise<Answered<TraceAnswer, O>> {
    return this.#call("getSessionTrace", query, options);
  }

  getSessionOrchestration<O extends TaggedCallOptions>(
    query: SessionAgentsQuery,
    options?: O,
  ): Promise<Answered<OrchestrationAnswer, O>> {
    return this.#call("getSessionOrchestration", query, options);
  }

  getSessionMessages<O extends TaggedCallOptions>(
    query: SessionMessagesQuery,
    options?: O,
  ): Promise<Answered<MessagesAnswer, O>> {
    return this.#call("getSessionMessages", query, options);
  }

  getSessionSummary<O extends TaggedCallOptions>(
    query: SessionOfTenant,
    options?: O,
  ): Promise<Answered<SessionSummaryAnswer, O>> {
    return this.#call("getSessionSummary", query, options);
  }

  compareSessions(query: CompareSessionsQuery, options?: CallOptions): Promise<SessionComparisonAnswer> {
    return this.#call("compareSessions", query, options);
  }

  getCallContext(query: CallContextQuery, options?: CallOptions): Promise<CallContextAnswer> {
    return this.#call("getCallContext", query, options);
  }

  getMessageProvenance(
    query: MessageProvenanceQuery,
    options?: CallOptions,
  ): Promise<MessageProvenanceAnswer> {
    return this.#call("getMessageProvenance", query, options);
  }

  /** Returns the response; its body is streamed. A body that breaks off is an incomplete file. */
  exportSession(query: ExportSessionQuery, options: CallOptions = {}): Promise<ClientResponse> {
    return this.#answered("exportSession", query, options);
  }

  reviewExport(query: ReviewExportQuery, options?: CallOptions): Promise<ExportReviewAnswer> {
    return this.#call("reviewExport", query, options);
  }

  /** Request again while `coverage.unread` is above 0: later answers are more complete. */
  explainLines(query: ExplainLinesQuery, options?: CallOptions): Promise<LinesExplainedAnswer> {
    return this.#call("explainLines", query, options);
  }

  /** The search is complete only if `nextCursor` is `null`. */
  searchRecords(query: SearchRecordsQuery, options?: CallOptions): Promise<RecordSearchAnswer> {
    return this.#call("searchRecords", query, options);
  }

  /** The search is complete only if `nextCursor` is `null`. */
  searchSessions(query: SearchSessionsQuery, options?: CallOptions): Promise<SessionSearchAnswer> {
    return this.#call("searchSessions", query, options);
  }

  /** Request again while `coverage.unread` is above 0: later answers are more complete. */
  getOverview(query: OverviewQuery = {}, options?: CallOptions): Promise<OverviewAnswer> {
    return this.#call("getOverview", query, options);
  }

  /** Request again while `isComplete` of a source is false: later answers are more complete. */
  listSources(query: SourceListQuery = {}, options?: CallOptions): Promise<SourceListAnswer> {
    return this.#call("listSources", query, options);
  }

  describeModel(query: ModelQuery, options?: CallOptions): Promise<ModelAnswer> {
    return this.#call("describeModel", query, options);
  }

  checkHealth(options?: CallOptions): Promise<HealthAnswer> {
    return this.#call("checkHealth", {}, options);
  }

  async #call<Id extends EndpointId, O extends TaggedCallOptions>(
    id: Id,
    query: QueryOf<Id>,
    options?: O,
  ): Promise<Answered<AnswerOf<Id> & Tagged, O>> {
    type Answer = Answered<AnswerOf<Id> & Tagged, O>;
    const { signal, ifNoneMatch }: TaggedCallOptions = options ?? {};
    const { answer }: Endpoint = ENDPOINTS[id];
    const response = await this.#answered(id, query, { signal, ifNoneMatch });
    const { status } = response;
    if (status === 304) return undefined as Answer;
    const body = answerIn(await textOf(response, signal), status, "member" in answer ? answer.member : "");
    const etag = answer.kind === "value" ? null : response.headers.get("etag");
    return (etag === null ? body : { ...body, etag }) as Answer;
  }

  async #answered(
    id: EndpointId,
    query: object,
    { signal, ifNoneMatch }: TaggedCallOptions,
  ): Promise<ClientResponse> {
    const response = await this.#request(addressOf(this.#base, ENDPOINTS[id], query), signal, ifNoneMatch);
    const { ok, status } = response;
    if (ok || (status === 304 && ifNoneMatch !== undefined)) return response;
    throw errorOfAnswer(status, await textOf(response, signal));
  }

  async #request(address: string, signal?: AbortSignal, ifNoneMatch?: string): Promise<ClientResponse> {
    const { headers: input, fetch = globalThis.fetch } = this.#options;
    const headers = {
      ...(typeof input === "function" ? await input() : input),
      ...(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }),
    };
    // With its cache, a browser would return the cached body instead of 304.
    const request = { headers, cache: "no-store", ...(signal === undefined ? {} : { signal }) } as const;
    try {
      return await fetch(address, request);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new InspectorClientError("unreachable", undefined, `${address} gave no answer.`, { cause });
    }
  }
}

async function textOf(response: ClientResponse, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new InspectorClientError("broken_answer", response.status, "The answer ended early.", { cause });
  }
}

function addressOf(base: string, { path, required, optional }: Endpoint, query: object): string {
  const parameters = new URLSearchParams();
  let filled: string = path;
  for (const name of [...required, ...optional]) {
    const value: unknown = Reflect.get(query, name);
    if (path.includes(`{${name}}`))
      filled = filled.replace(`{${name}}`, () => encodeURIComponent(String(value)));
    else if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? base + filled : `${base}${filled}?${parameters}`;
}

function answerIn(text: string, status: number, member: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && member in body) return body;
  } catch (cause) {
    throw new InspectorClientError("broken_answer", status, "The answer is no JSON.", { cause });
  }
  throw new InspectorClientError("broken_answer", status, `The answer has no member "${member}".`);
}

/**
 * Requests page after page, until the last one.
 * @param page requests the page at a cursor; the first cursor is `undefined`
 * @example
 * for await (const { sessions } of pagesOf((cursor) => inspector.listSessions({ limit: 100, cursor }))) show(sessions);
 */
export async function* pagesOf<Page extends { readonly nextCursor?: string | null }>(
  page: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | undefined;
  do {
    const next = await page(cursor);
    yield next;
    cursor = next.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
