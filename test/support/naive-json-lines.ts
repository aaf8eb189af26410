/** Simplest possible reader of JSON Lines: the reference for the fast readers. */
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
    for (const part of partsOf(trimmed)) {
      if (isObjectText(part)) records.push(part);
      else if (i < lines.length - 1) badLines.push(i + 1);
    }
  });
  return { records, badLines };
}

/** A line of several records without line feeds: each complete object at its beginning is a part, and so is the rest. */
function partsOf(line: string): string[] {
  for (let end = line.indexOf("}"); end !== -1; end = line.indexOf("}", end + 1)) {
    const [first, rest] = [line.slice(0, end + 1), line.slice(end + 1).replace(/^[ \t\r]+/, "")];
    if (isObjectText(first)) return rest === "" ? [first] : [first, ...partsOf(rest)];
  }
  return [line];
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
