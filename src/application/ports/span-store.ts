import { withMethods } from "../../domain/options/option-kinds.js";

/** Stores the spans that a receiver accepted, unchanged. It only appends; a data source reads them. */
export interface SpanStore {
  /**
   * Appends the lines of one request, after those of the earlier calls.
   *
   * They are durable when it resolves: they survive any end of the process. They are stored together or not at all: if it rejects, none
   * of them is stored, so they may be sent again.
   *
   * @param lines OTLP JSON in UTF-8, a span and a line feed each, with the tenant of their sender if there is one (`inspectorTenantId`);
   *   not empty. They belong to the store until it resolves; then their memory is released
   */
  append(lines: Uint8Array): Promise<void>;

  /** Waits for what was appended, and releases what is open. Nothing is appended after it. */
  close(): Promise<void>;
}

/** An option that is a store of spans. */
export const SPAN_STORE = withMethods<SpanStore>("SpanStore", ["append", "close"]);
