import { withMethods } from "../../domain/options/option-kinds.js";

/** Stores the spans that a receiver accepted, unchanged. It only appends; a data source reads them. */
export interface SpanStore {
  /**
   * Appends the lines of one request, after those of the earlier calls. They are durable when it resolves; if it rejects, none of them is
   * stored, so they may be sent again.
   * @param lines OTLP JSON in UTF-8, a span and a line feed each, with the sender's tenant if there is one (`inspectorTenantId`); not
   *   empty. They belong to the store until it resolves; then their memory is released
   */
  append(lines: Uint8Array): Promise<void>;

  /** Waits for pending writes, and releases open files. No call may follow. */
  close(): Promise<void>;
}

export const SPAN_STORE = withMethods<SpanStore>("SpanStore", ["append", "close"]);
