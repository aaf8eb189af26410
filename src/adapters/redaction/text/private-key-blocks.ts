const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const LONGEST = 65_536;

export interface PrivateKeyBlock {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Accepts any line breaks, and truncated keys. */
export function privateKeyBlocks(text: string): readonly PrivateKeyBlock[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const begins = [...text.matchAll(BEGIN)];
  return begins.flatMap(({ 0: begin, index: start }, i) => {
    const bodyStart = start + begin.length;
    const following = text.slice(
      bodyStart,
      Math.min(bodyStart + LONGEST, begins[i + 1]?.index ?? text.length),
    );
    const ending = END.exec(following);
    const length = ending?.index ?? codeLength(following);
    const lines = following.slice(0, length).match(/[A-Za-z0-9+/=]{16,}/g) ?? [];
    return lines.length === 0 ? [] : { start, end: bodyStart + length + (ending?.[0].length ?? 0), lines };
  });
}

function codeLength(text: string): number {
  return /^(?:\\+[rn]|[A-Za-z0-9+/=\s:,>|-])*/.exec(text)![0].length;
}
