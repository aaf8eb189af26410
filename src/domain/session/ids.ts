/** Addresses, cursors and database keys contain ids. */
export const LONGEST_ID = 500;

/** Returns the fault of an id; `undefined` for a valid one. Ids become names of folders, parts of addresses and keys. */
export function idProblem(id: string): string | undefined {
  if (id === "") return "must not be empty";
  if (id.length > LONGEST_ID) return `must not be longer than ${LONGEST_ID} characters`;
  if (id === "." || id === ".." || id.includes("..")) return "must not contain '..'";
  if (/[/\\]/.test(id)) return "must not contain a path separator";
  for (const character of id) {
    const code = character.charCodeAt(0);
    if (code < 0x20 || code === 0x7f) return "must not contain a control character";
  }
  return undefined;
}
