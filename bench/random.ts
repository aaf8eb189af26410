/** Deterministic numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function uuidOf(random: () => number): string {
  const hex = () =>
    Math.floor(random() * 4_294_967_296)
      .toString(16)
      .padStart(8, "0");
  const [a, b, c, d] = [hex(), hex(), hex(), hex()];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

const WORDS =
  "the agent read a file and found that its tests fail because of an import which was moved".split(" ");

/** Long enough for many different parts. */
const PROSE = proseOf(seeded(1), 1 << 16);

function proseOf(random: () => number, characters: number): string {
  let text = "";
  while (text.length < characters) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.slice(0, characters);
}

/** At most 64 KiB. */
export function prose(random: () => number, characters: number): string {
  const begin = Math.floor(random() * (PROSE.length - characters));
  return PROSE.slice(begin, begin + characters);
}
