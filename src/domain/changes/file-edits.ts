import { type JsonObject, objectField, textField } from "../json/json.js";
import { type Replacement, type RequestedEdit, requestedEdits } from "./edit-requests.js";
import type { ChangedLine, FileChange } from "./file-change.js";
import { recordedChanges } from "./recorded-changes.js";

/** Plain data, for a thread. */
export interface FileEdit {
  readonly path: string;
  readonly movedTo?: string;
  readonly original?: string;
  readonly change: EditedText;
}

type EditedText =
  | { readonly is: "written"; readonly content: string }
  | { readonly is: "deleted" }
  | { readonly is: "replaced"; readonly replacements: readonly Replacement[] }
  | { readonly is: "patched"; readonly hunks: readonly EditedLines[] };

export interface EditedLines {
  readonly oldStart?: number;
  readonly lines: readonly Pick<ChangedLine, "type" | "text">[];
}

/**
 * Combines a call's request and its recorded result. Not for a failed call, which changed nothing.
 * @param end the event that ended the call
 */
export function fileEditsOf(name: string, input: unknown, end: JsonObject): readonly FileEdit[] {
  const requested = requestedEdits(name, input)?.files ?? [];
  const original = textField(objectField(objectField(end, "record"), "toolUseResult"), "originalFile");
  const [only] = requested;
  const isText = only?.is === "written" || (only?.is === "replaced" && original !== undefined);
  if (requested.length === 1 && isText) return [withOriginal(editOf(only!), original)];
  const recorded = recordedChanges(end);
  const edits = recorded?.map(editRecorded) ?? requested.map(editOf);
  return edits.map((edit) => withOriginal(edit, edits.length === 1 ? original : undefined));
}

function withOriginal(edit: FileEdit, original: string | undefined): FileEdit {
  return original === undefined ? edit : { ...edit, original };
}

function editOf(edit: RequestedEdit): FileEdit {
  switch (edit.is) {
    case "patched":
      return editRecorded(edit.change);
    case "written":
      return { path: edit.path, change: { is: "written", content: edit.content } };
    case "replaced":
      return { path: edit.path, change: { is: "replaced", replacements: edit.replacements } };
    default:
      return edit satisfies never;
  }
}

function editRecorded({ type, path, movedTo, hunks }: FileChange): FileEdit {
  const moved = movedTo === undefined ? { path } : { path, movedTo };
  switch (type) {
    case "deleted":
      return { ...moved, change: { is: "deleted" } };
    case "added":
    case "written": {
      const lines = hunks.flatMap((one) => one.lines).filter((line) => line.type === "added");
      return { ...moved, change: { is: "written", content: lines.map(({ text }) => text).join("\n") } };
    }
    case "updated":
      return {
        ...moved,
        change: {
          is: "patched",
          hunks: hunks.map(({ oldStart, lines }) => ({
            ...(oldStart === undefined ? {} : { oldStart }),
            lines: lines.filter((line) => line.type !== "note"),
          })),
        },
      };
    default:
      return type satisfies never;
  }
}
