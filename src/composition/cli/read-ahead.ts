import type { MiddlewareHandler } from "hono";
import type { InspectorDataSource } from "../../application/ports/inspector-data-source.js";

/**
 * Reads the session list while nobody asks for anything: it is what people look at first, and what is known of its files makes
 * the answer short. With the first request it stops, so that nobody waits for it; what it read until then is kept.
 */
export class ReadAhead {
  readonly #source: InspectorDataSource;
  readonly #stop = new AbortController();

  constructor(source: InspectorDataSource) {
    this.#source = source;
  }

  begin(): void {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    this.#source.listSessions({ signal }).catch(() => undefined); // whoever asks for the list is told what is wrong with it
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Stops with whatever is asked for. */
  readonly yields: MiddlewareHandler = async (_c, next) => {
    this.stop();
    await next();
  };
}
