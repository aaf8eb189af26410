/**
 * Each word has to be in the name, or begin a keyword.
 * @param keywords separated by spaces
 */
export function isCommandMatch(label: string, keywords: string, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const name = label.toLowerCase();
  const others = keywords.toLowerCase().split(" ");
  return words.every((word) => name.includes(word) || others.some((other) => other.startsWith(word)));
}
