import { type RequestedEdit, requestedEdits } from "../../../../src/domain/changes/edit-requests.js";
import { completeFile, type FileChange } from "../../../../src/domain/changes/file-change.js";
import { recordedChanges } from "../../../../src/domain/changes/recorded-changes.js";
import type { JsonObject } from "../../../../src/domain/json/json.js";
import { textChanges } from "./text-changes.js";

export interface RecordedToolCall {
  readonly name: string;
  readonly input: unknown;
  /** `{}` without an end. */
  readonly end: JsonObject;
}

export interface CallChanges {
  readonly files: readonly FileChange[];
  readonly rest: JsonObject;
}

/**
 * For the tools of any agent. Prefers the recorded change to the requested one, because it has line numbers.
 * @returns `undefined` if the input is not a change, or is broken
 */
export function callChanges({ name, input, end }: RecordedToolCall): CallChanges | undefined {
  const requested = requestedEdits(name, input);
  return requested && { rest: requested.rest, files: recordedChanges(end) ?? requested.files.map(changeOf) };
}

function changeOf(edit: RequestedEdit): FileChange {
  switch (edit.is) {
    case "patched":
      return edit.change;
    case "written":
      return {
        type: "written",
        path: edit.path,
        movedTo: undefined,
        hunks: completeFile("added", edit.content),
      };
    case "replaced": {
      const hunks = edit.replacements.flatMap(({ before, after, everywhere }) =>
        textChanges(before, after).map((one) => ({ ...one, everywhere })),
      );
      return { type: "updated", path: edit.path, movedTo: undefined, hunks };
    }
    default:
      return edit satisfies never;
  }
}
