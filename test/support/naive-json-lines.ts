/** What a file of JSON Lines holds, read in the simplest way there is: the reference for the readers that are fast. */
export function naiveJsonLines(bytes: Uint8Array): { records: string[]; badLines: number[] } {
  const text = new TextDecoder("utf-8", { ignoreBOM: false }).decode(bytes);
  const lines = text.split("\n");
  const records: string[] = [];
  const badLines: number[] = [];
  lines.forEach((line, i) => {
    const [blank = ""] = /^[ \t\r\0]*/.exec(line) ?? [];
    if (blank.includes("\0") && i < lines.length - 1) badLines.push(i + 1);
    const trimmed = line.slice(blank.length).replace(/[ \t\r\0]+$/, "");
    if (trimmed === "") return;
    if (isObjectText(trimmed)) records.push(trimmed);
    else if (i < lines.length - 1) badLines.push(i + 1);
  });
  return { records, badLines };
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
