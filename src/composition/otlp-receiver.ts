import type { Hono } from "hono";
import { openPool, THREAD_OPTIONS, type ThreadOptions } from "../adapters/files/threads/thread-pool.js";
import { type ReceiverSettings, receiverApp } from "../adapters/otlp-receiver/receiver-app.js";
import { SpanFiles } from "../adapters/span-files/span-files.js";
import { AgentAppConfigurationError } from "../application/errors.js";
import { SPAN_STORE, type SpanStore } from "../application/ports/span-store.js";
import { checkOptions, type OptionsOf, type OptionTable } from "../domain/options/check-options.js";
import { FUNCTION, integerFrom, TEXT, TIMEOUT_MS } from "../domain/options/option-kinds.js";
import { reporterOf, writeError, writeWarning } from "./report-errors.js";

export interface OtlpReceiverOptions
  extends ThreadOptions,
    OptionsOf<Omit<ReceiverSettings, "pool" | "ownsPool" | "store">> {
  /** The receiver creates the folder if it is missing. */
  readonly directory?: string | undefined;
  /** Store for the spans, instead of a folder. Its owner closes it. */
  readonly store?: SpanStore | undefined;
  /** Size in bytes at which a new file begins. Default is 256 MiB. */
  readonly maxFileBytes?: number | undefined;
}

const BYTES = integerFrom(1, "a number of bytes");

const RECEIVER_OPTIONS = {
  ...THREAD_OPTIONS,
  directory: TEXT,
  store: SPAN_STORE,
  maxRequestBytes: BYTES,
  maxUnpackedBytes: BYTES,
  maxPendingBytes: BYTES,
  maxFileBytes: BYTES,
  access: FUNCTION,
  timeoutMs: TIMEOUT_MS,
  onError: FUNCTION,
  onReceived: FUNCTION,
} satisfies OptionTable<OtlpReceiverOptions>;

export interface OtlpReceiver {
  readonly app: Hono;
  /** Refuses new spans, and resolves when all accepted spans are stored. */
  close(): Promise<void>;
}

const OPEN_TO_ALL =
  "agent-inspector: createOtlpReceiver has no `access`: every caller can write spans, as any tenant. " +
  'Define who may write which tenant, or confirm this: access: () => ({ tenants: "all" }).';

const MIB = 1024 * 1024;

/**
 * Receives spans by OTLP/HTTP, in protobuf or JSON, and appends them to files in a folder. Without `access` every caller can write, as
 * any tenant: standard error warns once. Then mount it in a private network or behind your own guard, and confirm with `access: () => ({
 * tenants: "all" })`. It refuses requests of browsers, of more than 100,000 resources, scopes and spans, or with a protobuf span of more
 * than 200,000 messages and texts.
 * @throws AgentAppConfigurationError if an option is invalid, or unless exactly one of folder and store is passed
 * @throws RangeError if a number is out of range, or if a limit is less than a limit that it includes
 * @example
 * const receiver = createOtlpReceiver({ directory: "./spans", access: (c) => ({ tenants: [senderOf(c).tenantId] }) });
 * app.route("/", receiver.app); // OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:3000
 */
export function createOtlpReceiver(options: OtlpReceiverOptions): OtlpReceiver {
  const settings = checkOptions(RECEIVER_OPTIONS, options, AgentAppConfigurationError);
  const { maxRequestBytes = 16 * MIB, maxUnpackedBytes = 16 * MIB, maxPendingBytes = 64 * MIB } = settings;
  if (maxPendingBytes < maxUnpackedBytes) {
    throw new RangeError("maxPendingBytes is less than maxUnpackedBytes: such a request would never fit.");
  }
  const { store, ownsStore } = openStore(settings);
  const { pool, ownsPool } = openPool(settings);
  if (settings.access === undefined) writeWarning(OPEN_TO_ALL);
  const { app, stop } = receiverApp({
    ...{ pool, ownsPool, store, maxRequestBytes, maxUnpackedBytes, maxPendingBytes },
    onError: reporterOf(settings.onError ?? writeError),
    onReceived: settings.onReceived,
    access: settings.access,
    timeoutMs: settings.timeoutMs ?? 60_000,
  });
  let closed: Promise<void> | undefined;
  const close = async () => {
    await stop();
    if (ownsStore) await store.close();
    if (ownsPool) await pool.close();
  };
  return {
    app,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function openStore({ directory, store, maxFileBytes = 256 * MIB }: OtlpReceiverOptions) {
  if (!directory === (store === undefined)) {
    throw new AgentAppConfigurationError("Name the `directory` that spans are appended to, or a `store`.");
  }
  if (store !== undefined) return { store, ownsStore: false };
  return { store: new SpanFiles({ directory: directory!, maxFileBytes }), ownsStore: true };
}
