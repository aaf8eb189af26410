import { ListSources } from "../../src/advanced.js";
import type { InspectorDataSource } from "../../src/index.js";

/** However busy the machine is, what is answered is whole. */
export const WHOLE_MS = 60_000;

/** What the service reports of a source once all of it has been looked through. */
export const listSources = (source: InspectorDataSource, request?: Parameters<ListSources["execute"]>[0]) =>
  new ListSources(source, WHOLE_MS).execute(request);
