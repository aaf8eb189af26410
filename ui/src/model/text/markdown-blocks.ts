const BLOCK = 2500;

/** Splits between paragraphs, to render piece by piece. Fenced code, lists and indented text stay together. */
export function markdownBlocks(text: string): string[] {
  const lines = text.split("\n");
  const blocks: string[] = [];
  let from = 0;
  let length = 0;
  let fence = "";
  for (const [at, line] of lines.entries()) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    length += line.length + 1;
    const next = lines[at + 1];
    if (length < BLOCK || fence !== "" || line.trim() !== "" || next === undefined) continue;
    if (/^(\s|[-+*>|]|\d+[.)]\s)/.test(next) || next === "") continue;
    blocks.push(lines.slice(from, at + 1).join("\n"));
    from = at + 1;
    length = 0;
  }
  blocks.push(lines.slice(from).join("\n"));
  return blocks;
}

export function hasMarkdown(text: string): boolean {
  return /[*_`#[|~]|^\s*([-+>]|\d+[.)])\s/m.test(text);
}
