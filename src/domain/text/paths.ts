/** Paths of the agent's machine, whose system may differ from the reader's. */

/**
 * A path outside of the folder stays unchanged.
 * @param directory `""` if it is not recorded
 * @example relativePath("/home/ada/shop/src/a.ts", "/home/ada/shop") // "src/a.ts"
 */
export function relativePath(path: string, directory: string): string {
  const root = withoutEndSeparators(directory);
  if (root === "") return path;
  const start = path.slice(0, root.length);
  const isInside = isWindowsPath(root) ? comparable(start) === comparable(root) : start === root;
  if (!isInside) return path;
  const isSeparator = (at: number) => path[at] === "/" || (path[at] === "\\" && isWindowsPath(root));
  if (path.length > root.length && !isSeparator(root.length)) return path;
  let from = root.length;
  while (from < path.length && isSeparator(from)) from++;
  return from === path.length ? "." : path.slice(from);
}

/**
 * The first folder and the last ones remain. The file name is never cut, so the result may be longer than `room`.
 * @example shortPath("/home/ada/projects/shop/src/cart/total.ts", 24) // "/home/…/cart/total.ts"
 */
export function shortPath(path: string, room: number): string {
  if (path.length <= room) return path;
  const separator = separatorOf(path);
  const name = nameStart(path);
  const first = path.indexOf(separator, 1) + 1;
  const isRoom = first > 0 && first < name && first + 2 + path.length - name <= room;
  const start = isRoom ? path.slice(0, first) : "";
  let from = name;
  for (let at = name; at > first && start.length + 2 + path.length - at <= room; ) {
    from = at;
    at = path.lastIndexOf(separator, at - 2) + 1;
  }
  return from === 0 ? path : `${start}…${separator}${path.slice(from)}`;
}

/** A separator at the end belongs to the name of a folder. */
export function nameStart(path: string): number {
  const separator = separatorOf(path);
  let end = path.length;
  while (end > 0 && path[end - 1] === separator) end--;
  return end === 0 ? 0 : path.lastIndexOf(separator, end - 1) + 1;
}

/** @example withoutDirectory("sed -n 1,9p /home/ada/shop/a.ts", "/home/ada/shop") // "sed -n 1,9p a.ts" */
export function withoutDirectory(command: string, directory: string): string {
  const root = withoutEndSeparators(directory);
  if (root === "") return command;
  const prefix = root + separatorOf(root);
  let text = "";
  let from = 0;
  for (let at = command.indexOf(prefix); at !== -1; at = command.indexOf(prefix, at + 1)) {
    if (at < from || /[\w.~/\\-]/.test(command[at - 1] ?? " ")) continue;
    const next = at + prefix.length;
    // The folder itself needs a name.
    if (/[\s"'`;&|)]|^$/.test(command[next] ?? "")) continue;
    text += command.slice(from, at);
    from = next;
  }
  return text + command.slice(from);
}

function isWindowsPath(path: string): boolean {
  return /^(?:[a-z]:|\\\\)/i.test(path);
}

function separatorOf(path: string): "/" | "\\" {
  return path.includes("\\") && !path.includes("/") ? "\\" : "/";
}

function comparable(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

function withoutEndSeparators(path: string): string {
  let end = path.length;
  while (end > 0 && (path[end - 1] === "/" || path[end - 1] === "\\")) end--;
  return path.slice(0, end);
}
