import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { combine } from "../application/sources/combine.js";
import {
  COMBINE_OPTIONS,
  type CombineOptions,
  NAMED_SOURCE,
  type NamedSource,
  SourcePart,
} from "../application/sources/source-part.js";
import { checkList, checkOptions } from "../domain/options/check-options.js";
import { writeSourceError } from "./report-errors.js";

/**
 * Several data sources as one: their sessions in one list, newest first. A session's tenant is `<key>:<tenantId>` then, so that ids
 * that collide stay apart, and its `source` the name of the source. A source that fails or is slow costs its own sessions and gives a
 * warning that names it; what failed is told `onError`, which writes it to standard error unless given. One source alone is given
 * back as it is.
 *
 * Closing it closes the sources.
 *
 * @throws TypeError for no source, for a key that is none, for keys or names that two sources share, and for an option that there is
 *   not, or whose value is of another kind
 * @throws RangeError for a `timeoutMs` that is out of range
 *
 * @example
 * const source = combineDataSources([
 *   { key: "support", name: "Support agent", source: createFilesystemInspectorDataSource("./support/data") },
 *   { key: "claude-code", name: "Claude Code", source: createClaudeCodeDataSource(projectsDir) },
 * ]);
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function combineDataSources(
  sources: readonly NamedSource[],
  options: CombineOptions = {},
): InspectorDataSource {
  const named = checkList<NamedSource>(NAMED_SOURCE, "sources", sources);
  const { timeoutMs, onError = writeSourceError } = checkOptions(COMBINE_OPTIONS, options);
  const parts = named.map((source) => new SourcePart(source, { timeoutMs, onError }));
  const names = parts.flatMap(({ key, name }) => (key === name ? [key] : [key, name]));
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new TypeError(`Two sources are called "${repeated}".`);
  const [first, second] = named;
  if (first === undefined) throw new TypeError("There is no source to combine.");
  return second === undefined ? first.source : combine(parts);
}
