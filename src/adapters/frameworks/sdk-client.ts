import type { RecordedSession } from "../../application/recording/recorded-session.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { FUNCTION } from "../../domain/options/option-kinds.js";
import type { RunRecorderOptions } from "../../recording/run-recorder.js";
import { SessionCalls } from "../../recording/session-calls.js";
import { type CallReader, SdkCall } from "./sdk-call.js";

export interface RecordClientOptions {
  /**
   * Receives failures of the recording. Default writes them to the host's log. The session's recorder reports rejections of its store to
   * its own handler.
   */
  readonly onError?: RunRecorderOptions["onError"];
}

const RECORD_CLIENT_OPTIONS = { onError: FUNCTION } satisfies OptionTable<RecordClientOptions>;

export type RecordedMethods = readonly (readonly [path: string, method: string, reader: CallReader])[];

type AnyMethod = (...args: unknown[]) => unknown;
type Resource = { [name: string]: unknown };

/**
 * The original client does not change.
 * @throws TypeError if an option does not exist, or if the value is not a client or not a session
 */
export function recordClient<Client extends object>(
  client: Client,
  session: RecordedSession,
  options: RecordClientOptions,
  methods: RecordedMethods,
): Client {
  const { onError } = checkOptions(RECORD_CLIENT_OPTIONS, options);
  if (typeof (session as Partial<RecordedSession> | undefined)?.beforeTurn !== "function")
    throw new TypeError("`session` is not a session. Pass the result of `open()` of a recorder.");
  if (!methods.some(([path]) => resourceOf(client, path) !== undefined))
    throw new TypeError(
      `\`client\` is not a client: it has no ${methods.map(([path]) => path).join(", no ")}.`,
    );
  const calls = SessionCalls.of(session, onError);
  const reported = reportedOfClients.get(client) ?? new Set<string>();
  reportedOfClients.set(client, reported);
  const start = (reader: CallReader, args: readonly unknown[]) => new SdkCall(calls, reader, args, reported);
  return recordedLike(client, start, methods);
}

/** By client: hosts often record one client in a new session for each request. */
const reportedOfClients = new WeakMap<object, Set<string>>();

type StartCall = (reader: CallReader, args: readonly unknown[]) => SdkCall;

function recordedLike<Client extends object>(
  client: Client,
  start: StartCall,
  methods: RecordedMethods,
): Client {
  const args = client as Resource;
  const { withOptions } = args;
  const canCopy = typeof withOptions === "function";
  const copy = (canCopy ? (withOptions as AnyMethod).call(client, {}) : Object.create(client)) as Resource;
  for (const [path, method, reader] of methods)
    recordMethod(client, copy, path, method, (args) => start(reader, args));
  if (canCopy) {
    const again = (withOptions as AnyMethod).bind(copy);
    copy.withOptions = (...options: unknown[]) => recordedLike(again(...options) as Client, start, methods);
  }
  return copy as Client;
}

/** Replaces the method in a copy of the client at the object from which the client's own helpers call it. */
function recordMethod(
  client: object,
  copy: Resource,
  path: string,
  method: string,
  start: (args: readonly unknown[]) => SdkCall,
): void {
  const original = resourceOf(client, path);
  if (original === undefined || typeof original[method] !== "function") return;
  const own = resourceOf(copy, path);
  // A client that shares its resources with the original is not a copy, and gets separate resources.
  const resource = own === original ? ownResource(copy, path) : own;
  if (resource === undefined) return;
  // Methods that were replaced on the client itself, such as by another recording, are called as well.
  const isReplaced = Object.hasOwn(original, method) || own === original;
  const call = isReplaced
    ? (original[method] as AnyMethod).bind(original)
    : (resource[method] as AnyMethod).bind(resource);
  resource[method] = (...args: unknown[]) => recorded(call, args, start(args));
}

function resourceOf(client: object, path: string): Resource | undefined {
  let at: unknown = client;
  for (const name of path.split(".")) at = (at as Resource | undefined)?.[name];
  return typeof at === "object" && at !== null ? (at as Resource) : undefined;
}

function ownResource(copy: Resource, path: string): Resource {
  let at = copy;
  for (const name of path.split(".")) {
    if (!Object.hasOwn(at, name)) at[name] = Object.create(at[name] as object);
    at = at[name] as Resource;
  }
  return at;
}

interface ApiPromise extends Promise<unknown> {
  _thenUnwrap(transform: (data: unknown) => unknown): ApiPromise;
  asResponse(): Promise<unknown>;
  parse(): Promise<unknown>;
  responsePromise?: Promise<unknown>;
}

function recorded(call: AnyMethod, args: readonly unknown[], recording: SdkCall): unknown {
  let promise: unknown;
  try {
    promise = call(...args);
  } catch (thrown) {
    recording.fail(thrown);
    throw thrown;
  }
  if (isApiPromise(promise)) return recordedPromise(promise, recording);
  if (!(promise instanceof Promise)) return recording.take(promise);
  return promise.then(
    (data) => recording.take(data),
    (thrown) => {
      recording.fail(thrown);
      throw thrown;
    },
  );
}

function isApiPromise(promise: unknown): promise is ApiPromise {
  const methods = promise as Partial<ApiPromise>;
  return (
    promise instanceof Promise &&
    [methods._thenUnwrap, methods.asResponse, methods.parse].every((method) => typeof method === "function")
  );
}

/**
 * Retains the client's own class of promise, and never reads the response for the recording. A rejection is recorded on its way: a separate
 * handler would hide an unhandled rejection from Node.js.
 */
function recordedPromise(promise: ApiPromise, recording: SdkCall): ApiPromise {
  const recorded = promise._thenUnwrap((data) => recording.take(data));
  const failed = (thrown: unknown): never => {
    recording.fail(thrown);
    throw thrown;
  };
  if (promise.responsePromise !== undefined) recorded.responsePromise = promise.responsePromise.catch(failed);
  let isParsed = false;
  const onParse = () => {
    isParsed = true;
  };
  const onResponse = () => {
    if (!isParsed) recording.end(() => ({}));
  };
  return withSteps(recorded, { onParse, onResponse, failed });
}

interface ApiPromiseSteps {
  onParse(): void;
  onResponse(): void;
  failed(thrown: unknown): never;
}

function withSteps(promise: ApiPromise, steps: ApiPromiseSteps): ApiPromise {
  const parse = promise.parse.bind(promise);
  const asResponse = promise.asResponse.bind(promise);
  const thenUnwrap = promise._thenUnwrap.bind(promise);
  let parsed: Promise<unknown> | undefined;
  promise.parse = () => {
    steps.onParse();
    parsed ??= parse().catch(steps.failed);
    return parsed;
  };
  // The recorder does not read the body of a raw response.
  promise.asResponse = async () => {
    const response = await asResponse();
    steps.onResponse();
    return response;
  };
  promise._thenUnwrap = (transform) => withSteps(thenUnwrap(transform), steps);
  return promise;
}
