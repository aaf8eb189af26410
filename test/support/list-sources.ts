import { ListSources } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";

/** Long enough for a complete answer on a busy machine. */
export const WHOLE_MS = 60_000;

/** Waits until the sources are read completely. */
export const listSources = (source: InspectorDataSource, request?: Parameters<ListSources["execute"]>[0]) =>
  new ListSources(source, WHOLE_MS).execute(request);
