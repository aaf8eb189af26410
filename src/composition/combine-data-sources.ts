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
 * Combines several data sources into one list, newest first. The tenant of a session becomes `<key>:<tenantId>`, so that equal ids of two
 * sources do not collide. A slow or failing source loses only its own sessions; `onError` (default: standard error) receives the failure.
 * Closing the result closes the sources.
 * @throws TypeError if there is no source, if a key is invalid, if two sources share a key or name, or if an option is invalid
 * @throws RangeError if `timeoutMs` is out of range
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
