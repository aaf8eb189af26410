import { withMethods } from "../../domain/options/option-kinds.js";

/**
 * Keeps the spans that a receiver took, as they came. It only appends; reading them is a data source's.
 */
export interface SpanStore {
  /**
   * Appends the lines of one request, behind those of the calls before it.
   *
   * They are kept when it resolves: they outlive the process, however that ends. They are kept together or not at all: where it
   * rejects, none of them is, so that they may be sent again.
   *
   * @param lines OTLP JSON in UTF-8, a span and a line feed each, with the tenant of their sender where that is known
   *   (`inspectorTenantId`); not empty. They belong to the store until it resolves;
   *   then their memory is freed
   */
  append(lines: Uint8Array): Promise<void>;

  /** Waits for what was appended, and releases what is open. Nothing is appended after it. */
  close(): Promise<void>;
}

/** An option that is a store of spans. */
export const SPAN_STORE = withMethods<SpanStore>("SpanStore", ["append", "close"]);
