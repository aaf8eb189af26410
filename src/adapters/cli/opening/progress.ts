import { redrawn } from "../text/text.js";
import type { CommandContext } from "./parts.js";

const EVERY_MS = 100;

export function progressOf({ terminal: { stderr } }: CommandContext) {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  return {
    show(text: string) {
      const now = performance.now();
      if (stderr.isTTY !== true || now - writtenAt < EVERY_MS) return;
      writtenAt = now;
      isOpen = true;
      stderr.write(redrawn(text, stderr.columns));
    },
    end() {
      if (isOpen) stderr.write(redrawn(""));
      isOpen = false;
    },
  };
}
