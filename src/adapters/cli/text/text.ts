import type { RecordWarning } from "../../../application/ports/record-stream.js";
import { SOURCE_KEY } from "../../../application/sources/source-part.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { cutEnd } from "./text-width.js";

export const NO_COUNTS = "no token counts are recorded";

export function warningText({ file, line, reason }: RecordWarning): string {
  return visibleText(SOURCE_KEY.test(file) ? reason : `${file}, line ${line}, ${reason}`);
}

export function redrawn(text: string, columns?: number): string {
  return `\r${columns === undefined ? text : cutEnd(text, columns - 1)}\u001b[K`;
}
