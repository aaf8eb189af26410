import type { FindSecrets } from "../findings.js";
import { privateKeyBlocks } from "../text/private-key-blocks.js";

/** Private keys as text. Their lines are looked for by themselves, too: they are in diffs and quotations. */
export const findPrivateKeys: FindSecrets = (text, report) => {
  for (const { start, end, lines } of privateKeyBlocks(text)) {
    const texts = new Set([text.slice(start, end), ...lines, lines.join("")]);
    report({ rule: "private key", texts: [...texts] }, start, end);
  }
};
