import type { FindSecrets } from "../findings.js";
import { privateKeyBlocks } from "../text/private-key-blocks.js";

/** Also searches the lines of a key: diffs and quotations contain them. */
export const findPrivateKeys: FindSecrets = (text, report) => {
  for (const { start, end, lines } of privateKeyBlocks(text)) {
    const texts = new Set([text.slice(start, end), ...lines, lines.join("")]);
    report({ rule: "private key", texts: [...texts] }, start, end);
  }
};
