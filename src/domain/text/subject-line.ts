import { nameStart, relativePath, shortPath, withoutDirectory } from "./paths.js";
import { previewText } from "./preview-text.js";
import type { Subject } from "./subject.js";
import { withoutFolderChange } from "./subject.js";

export interface SubjectLine {
  readonly text: string;
  /** Start of the file name, which stays visible in a narrow column; -1 without one. */
  readonly nameAt: number;
  /** For a tooltip. */
  readonly full: string;
}

/** A long file name may exceed it. */
const PATH_ROOM = 60;

/**
 * @param directory `""` if it is not recorded
 * @example subjectLine({ text: "", paths: ["/shop/src/a.ts"], pathCount: 1 }, "/shop").text // "src/a.ts"
 */
export function subjectLine(subject: Subject, directory: string): SubjectLine {
  const { text, paths, pathCount } = subject;
  const words = previewText(withoutDirectory(withoutFolderChange(text), directory));
  const [path] = paths;
  if (path === undefined) return { text: words, nameAt: -1, full: text };
  const lead = words === "" ? "" : `${words} · `;
  const shortened = shortPath(relativePath(path, directory).replace(/\s+/g, " "), PATH_ROOM);
  const others = pathCount > 1 ? ` +${pathCount - 1}` : "";
  return {
    text: `${lead}${shortened}${others}`,
    nameAt: lead.length + nameStart(shortened),
    full: [...(text === "" ? [] : [text]), ...paths, ...(pathCount > paths.length ? ["…"] : [])].join("\n"),
  };
}

export function textLine({ text }: Subject): SubjectLine {
  return { text: previewText(text), nameAt: -1, full: text };
}
