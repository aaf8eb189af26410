/** FNV-1a, twice: 53 bits, few enough collisions that none is to be expected among a hundred million records. */
export function hash53(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
