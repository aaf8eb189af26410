const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** How long a key is at most, in characters. */
const LONGEST = 65_536;

/** A private key as text (PEM). */
export interface PrivateKeyBlock {
  readonly start: number;
  readonly end: number;
  /** The lines of its code. */
  readonly lines: readonly string[];
}

/** The private keys of a text, with whatever line breaks; of one that is cut, what is there. */
export function privateKeyBlocks(text: string): readonly PrivateKeyBlock[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const blocks: PrivateKeyBlock[] = [];
  let from = 0;
  for (const { 0: begin, index: start } of text.matchAll(BEGIN)) {
    if (start < from) continue;
    const bodyStart = start + begin.length;
    const following = text.slice(bodyStart, bodyStart + LONGEST);
    END.lastIndex = 0;
    const ending = END.exec(following);
    const length = ending?.index ?? codeLength(following);
    const lines = following.slice(0, length).match(/[A-Za-z0-9+/=]{16,}/g) ?? [];
    if (lines.length === 0) continue;
    from = bodyStart + length + (ending?.[0].length ?? 0);
    blocks.push({ start, end: from, lines });
  }
  return blocks;
}

/** How much of what follows may be lines of a key: of code, with what parts lines. */
function codeLength(text: string): number {
  return /^(?:\\+[rn]|[A-Za-z0-9+/=\s:,>|-])*/.exec(text)![0].length;
}
