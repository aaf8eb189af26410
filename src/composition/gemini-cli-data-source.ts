import { GEMINI_CLI_TASKS } from "../adapters/formats/gemini-cli/gemini-cli-tasks.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { checkFileSource } from "./check-file-source.js";

/**
 * Reads the histories of Gemini CLI (`docs/gemini-cli.md`), also while it writes them.
 *
 * @param folder `~/.gemini`, its folder `tmp`, or the folder of one project in that
 *
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createGeminiCliDataSource(path.join(homedir(), ".gemini"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createGeminiCliDataSource(
  folder: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  checkFileSource("folder", folder, options);
  return asDataSource(new TranscriptDataSource(folder, GEMINI_CLI_TASKS, options));
}
