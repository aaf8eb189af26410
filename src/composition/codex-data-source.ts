import { CODEX_TASKS } from "../adapters/formats/codex/codex-tasks.js";
import {
  TranscriptDataSource,
  type TranscriptOptions,
} from "../adapters/transcripts/transcript-data-source.js";
import type { InspectorDataSource } from "../application/ports/inspector-data-source.js";
import { asDataSource } from "../application/sources/lift.js";
import { checkFileSource } from "./check-file-source.js";

/**
 * Reads the histories of Codex CLI (`docs/codex.md`), also while it writes them.
 *
 * @param codexHome the folder that holds `sessions` and `archived_sessions`, such as `~/.codex`; or a folder of its sessions, such as
 *   that of a month
 *
 * @throws TypeError for a folder that is no path, and for an option that there is not, or whose value is of another kind
 * @throws RangeError for a number out of range
 *
 * @example
 * const source = createCodexDataSource(path.join(homedir(), ".codex"));
 * app.route(INSPECTOR_PATH, createInspectorRoute(source));
 */
export function createCodexDataSource(
  codexHome: string,
  options: TranscriptOptions = {},
): InspectorDataSource {
  checkFileSource("codexHome", codexHome, options);
  return asDataSource(new TranscriptDataSource(codexHome, CODEX_TASKS, options));
}
