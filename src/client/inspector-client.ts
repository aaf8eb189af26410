import { isJsonObject } from "../domain/json/json.js";
import { checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { FUNCTION, isTextsByName, kindOf, required, TEXT } from "../domain/options/option-kinds.js";
import type {
  CallContextAnswer,
  HealthAnswer,
  MessageProvenanceAnswer,
  MessagesAnswer,
  OrchestrationAnswer,
  RecordSearchAnswer,
  SessionComparisonAnswer,
  SessionListAnswer,
  SessionSummaryAnswer,
  TraceAnswer,
} from "./answers.js";
import { errorOfAnswer, InspectorClientError } from "./client-error.js";
import {
  addressOf,
  type CallContextQuery,
  type CompareSessionsQuery,
  type MessageProvenanceQuery,
  OPERATIONS,
  type SearchRecordsQuery,
  type SessionAgentsQuery,
  type SessionListQuery,
  type SessionMessagesQuery,
  type SessionOfTenant,
  type SessionRecordsQuery,
} from "./operations.js";

/** What the client gives to `fetch`. */
export interface ClientRequest {
  readonly headers: ClientHeaders;
  readonly signal?: AbortSignal;
  readonly cache: "no-store";
}

/** What it needs of the answer. */
export interface ClientResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

type ClientHeaders = Readonly<Record<string, string>>;

export interface InspectorClientOptions {
  /** Where the inspector is mounted, such as `https://agents.example/__inspector`; in a browser also a path of the page's origin. */
  readonly baseUrl: string;
  /** Headers of every request, or what makes them for each, such as a token that is renewed. Default is none. */
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

/** Options of a call whose answer can be asked for again. */
export interface TaggedCallOptions extends CallOptions {
  /** The `etag` of the answer that is known: the call gives `undefined` where that has not changed. */
  readonly ifNoneMatch?: string | undefined;
}

/** The answer, or `undefined` for one that is known. */
type Answered<Answer, Options> = Options extends { readonly ifNoneMatch: string }
  ? Answer | undefined
  : Answer;

/**
 * A client of the inspector's HTTP API, for browsers and Node.js. Each method is an operation of `docs/openapi.yaml`, by its id and
 * with its parameters. Answers are parsed as JSON: integers above 2^53 are rounded.
 *
 * @throws InspectorClientError from every method: its `code` and `status` say what went wrong
 *
 * @example
 * const inspector = new InspectorClient({ baseUrl: "http://127.0.0.1:4680/__inspector" });
 * const { sessions } = await inspector.listSessions({ status: "error", limit: 20 });
 * for await (const page of pagesOf((cursor) => inspector.getSessionTrace({ ...sessions[0]!, limit: 1000, cursor })))
 *   console.log(page.envelopes);
 */
export class InspectorClient {
  readonly #base: string;
  readonly #options: InspectorClientOptions;

  /** @throws TypeError for an option that there is not, or whose value is of another kind */
  constructor(options: InspectorClientOptions) {
    checkOptions(CLIENT_OPTIONS, options);
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.#options = options;
  }

  /** The sessions that the caller may see, newest activity first. */
  listSessions<O extends TaggedCallOptions>(
    query: SessionListQuery = {},
    options?: O,
  ): Promise<Answered<SessionListAnswer, O>> {
    return this.#call("listSessions", query, options) as Promise<Answered<SessionListAnswer, O>>;
  }

  /** What happened in a session, in the order of `sequence`. */
  getSessionTrace<O extends TaggedCallOptions>(
    query: SessionRecordsQuery,
    options?: O,
  ): Promise<Answered<TraceAnswer, O>> {
    return this.#call("getSessionTrace", query, options) as Promise<Answered<TraceAnswer, O>>;
  }

  /** The sub-agents of a session, as they stand now. */
  getSessionOrchestration<O extends TaggedCallOptions>(
    query: SessionAgentsQuery,
    options?: O,
  ): Promise<Answered<OrchestrationAnswer, O>> {
    return this.#call("getSessionOrchestration", query, options) as Promise<Answered<OrchestrationAnswer, O>>;
  }

  /** The conversation with the model, as it was stored: the session's own, or a sub-agent's. */
  getSessionMessages<O extends TaggedCallOptions>(
    query: SessionMessagesQuery,
    options?: O,
  ): Promise<Answered<MessagesAnswer, O>> {
    return this.#call("getSessionMessages", query, options) as Promise<Answered<MessagesAnswer, O>>;
  }

  /** What a session's tokens, money and time went into. */
  getSessionSummary<O extends TaggedCallOptions>(
    query: SessionOfTenant,
    options?: O,
  ): Promise<Answered<SessionSummaryAnswer, O>> {
    return this.#call("getSessionSummary", query, options) as Promise<Answered<SessionSummaryAnswer, O>>;
  }

  /** Two sessions side by side, and where they part. */
  compareSessions(query: CompareSessionsQuery, options?: CallOptions): Promise<SessionComparisonAnswer> {
    return this.#call("compareSessions", query, options) as Promise<SessionComparisonAnswer>;
  }

  /** Which messages a model call saw. */
  getCallContext(query: CallContextQuery, options?: CallOptions): Promise<CallContextAnswer> {
    return this.#call("getCallContext", query, options) as Promise<CallContextAnswer>;
  }

  /** Where a message that a model call saw came from, and what became of it. */
  getMessageProvenance(
    query: MessageProvenanceQuery,
    options?: CallOptions,
  ): Promise<MessageProvenanceAnswer> {
    return this.#call("getMessageProvenance", query, options) as Promise<MessageProvenanceAnswer>;
  }

  /** What was found of a text so far. Only an answer whose `nextCursor` is `null` has searched everything. */
  searchRecords(query: SearchRecordsQuery, options?: CallOptions): Promise<RecordSearchAnswer> {
    return this.#call("searchRecords", query, options) as Promise<RecordSearchAnswer>;
  }

  /** Whether the process answers. */
  checkHealth(options?: CallOptions): Promise<HealthAnswer> {
    return this.#call("checkHealth", {}, options) as Promise<HealthAnswer>;
  }

  async #call(
    id: keyof typeof OPERATIONS,
    query: object,
    { signal, ifNoneMatch }: TaggedCallOptions = {},
  ): Promise<unknown> {
    const operation = OPERATIONS[id];
    const response = await this.#request(addressOf(this.#base, operation, query), signal, ifNoneMatch);
    const { status } = response;
    if (status === 304 && ifNoneMatch !== undefined) return undefined;
    const text = await response.text().catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw new InspectorClientError("broken_answer", status, "The answer ended early.", { cause });
    });
    if (!response.ok) throw errorOfAnswer(status, text);
    const etag = operation.isTagged ? response.headers.get("etag") : null;
    const body = answerIn(text, status, operation.member);
    return etag === null ? body : { ...body, etag };
  }

  async #request(address: string, signal?: AbortSignal, ifNoneMatch?: string): Promise<ClientResponse> {
    const { headers: given, fetch = globalThis.fetch } = this.#options;
    const headers = {
      ...(typeof given === "function" ? await given() : given),
      ...(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }),
    };
    // A browser's own cache would give the body that it has in the place of 304.
    const request = { headers, cache: "no-store", ...(signal === undefined ? {} : { signal }) } as const;
    try {
      return await fetch(address, request);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new InspectorClientError("unreachable", undefined, `${address} gave no answer.`, { cause });
    }
  }
}

function answerIn(text: string, status: number, member: string): object {
  try {
    const body: unknown = JSON.parse(text);
    if (isJsonObject(body) && member in body) return body;
  } catch (cause) {
    throw new InspectorClientError("broken_answer", status, "The answer is no JSON.", { cause });
  }
  throw new InspectorClientError("broken_answer", status, `The answer has no member "${member}".`);
}

/**
 * Asks for page after page, until the last one.
 *
 * @param page asks for the page at a cursor; `undefined` is that of the first one
 *
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
