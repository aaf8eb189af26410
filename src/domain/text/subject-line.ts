import { nameStart, relativePath, shortPath, withoutDirectory } from "./paths.js";
import { previewText } from "./preview-text.js";
import type { Subject } from "./subject.js";
import { withoutFolderChange } from "./subject.js";

/** A subject as a row shows it. */
export interface SubjectLine {
  readonly text: string;
  /** Where the name of the file begins, which is shown also where there is no room for all; -1 where there is none. */
  readonly nameAt: number;
  /** All that is known of it, for a tooltip. */
  readonly whole: string;
}

/** How long a path is at most, but for a long name. */
const PATH_ROOM = 60;

/**
 * What a tool call is about, in one line.
 *
 * @param directory the folder that the agent works in; `""` where it is not known
 * @example subjectLine({ text: "", paths: ["/shop/src/a.ts"], pathCount: 1 }, "/shop").text // "src/a.ts"
 */
export function subjectLine(subject: Subject, directory: string): SubjectLine {
  const { text, paths, pathCount } = subject;
  const words = previewText(withoutDirectory(withoutFolderChange(text), directory));
  const [path] = paths;
  if (path === undefined) return { text: words, nameAt: -1, whole: text };
  const lead = words === "" ? "" : `${words} · `;
  const shown = shortPath(relativePath(path, directory).replace(/\s+/g, " "), PATH_ROOM);
  const others = pathCount > 1 ? ` +${pathCount - 1}` : "";
  return {
    text: `${lead}${shown}${others}`,
    nameAt: lead.length + nameStart(shown),
    whole: [...(text === "" ? [] : [text]), ...paths, ...(pathCount > paths.length ? ["…"] : [])].join("\n"),
  };
}

/** Words in one line: what somebody asked for or said. */
export function textLine({ text }: Subject): SubjectLine {
  return { text: previewText(text), nameAt: -1, whole: text };
}
