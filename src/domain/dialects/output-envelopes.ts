/** Lines that a tool writes before the output of a command. */
const HEAD =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process (?:exited with code|running with session ID)|Original token count|Total output lines)\b[^\n]*\n)+(?:Output:[^\n]*\n)?(?:Total output lines[^\n]*\n)?|^Error: Command failed \(exit code: -?\d+\)\n|^Exit code:? -?\d+\n/;

/** npm repeats the script that it runs. */
const ECHO = /^(?:\s*\n|> [^\n]*(?:\n|$))+/;

/** Gemini CLI and Qwen Code name each part of an outcome; absent parts are `(none)` or `(empty)`. */
const NAMED = /^Command: [\s\S]*?\nDirectory: [^\n]*\n(?:Output|Stdout): /;
const NEXT = /\n(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*/g;
const ABSENT = /^\((?:none|empty)\)$/;

/** Longest beginning in which an envelope is looked for. */
const LOOKED_AT = 4_096;

/**
 * Returns the text that a command itself wrote, without the envelope of the tool that ran it. An envelope without a text is the reason.
 * @example reasonIn("Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno such table") // "no such table"
 */
export function reasonIn(text: string): string {
  const looked = text.slice(0, LOOKED_AT).replaceAll("\r\n", "\n");
  const rest = text.slice(LOOKED_AT);
  const named = NAMED.exec(looked);
  if (named !== null) return namedReason(looked.slice(named[0].length)) ?? text;
  const output = looked.replace(HEAD, "");
  const spoken = output.replace(ECHO, "");
  if (spoken.trim() !== "") return spoken + rest;
  return output.trim() !== "" ? output + rest : statusIn(looked) + rest;
}

function namedReason(parts: string): string | undefined {
  const others = parts.match(NEXT) ?? [];
  const partOf = (name: string) => {
    const value = others.find((one) => one.startsWith(`\n${name}: `))?.slice(name.length + 3);
    return value === undefined || ABSENT.test(value) ? undefined : value;
  };
  const output = parts.slice(0, parts.search(NEXT) === -1 ? undefined : parts.search(NEXT)).trim();
  const spoken = ABSENT.test(output) ? undefined : output || undefined;
  const code = partOf("Exit Code");
  return partOf("Error") ?? partOf("Stderr") ?? spoken ?? (code && `Exit code ${code}`);
}

function statusIn(text: string): string {
  const code = /(?:[Ee]xit code:?|exited with code) (-?\d+)/.exec(text)?.[1];
  return code === undefined ? text : `Exit code ${code}`;
}
