import { checkFileSource } from "../adapters/files/catalog/file-source-options.js";
import { HISTORY_FORMATS, historyFormat } from "../adapters/formats/registry.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/source/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { visibleText } from "../domain/text/visible-text.js";

/**
 * Reads the histories of a tool by its name (`docs/formats.md`), also while the tool writes them. Loads the code of the format.
 * @param format such as `"copilot-cli"`
 * @param place the folder where the tool stores its histories, or one file of them
 * @throws TypeError if the name is not a format, if the place is not a path, or if an option is invalid
 * @throws RangeError if a number is out of range
 * @example
 * const source = await openHistories("opencode", path.join(homedir(), ".local", "share", "opencode"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export async function openHistories(
  format: string,
  place: string,
  options: TranscriptOptions = {},
): Promise<InspectorDataSource> {
  const settings = checkFileSource("place", place, options);
  const row = historyFormat(format);
  if (row === undefined) {
    const names = HISTORY_FORMATS.map(({ name }) => name).join(", ");
    throw new TypeError(`There is no format "${visibleText(String(format))}". There are ${names}.`);
  }
  const { tasks } = await row.load();
  return asDataSource(new TranscriptDataSource(place, tasks, settings, row));
}
