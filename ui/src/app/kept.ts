/** Where a page that nobody lets keep anything keeps it: in memory, as long as it is open. */
const memory = new Map<string, string>();

/** A text that this browser keeps, or this tab of it alone. A browser may keep none of a page that is a file. */
export function kept(where: "browser" | "tab", key: string): string {
  try {
    return storage(where).getItem(key) ?? "";
  } catch {
    return memory.get(`${where} ${key}`) ?? "";
  }
}

export function keep(where: "browser" | "tab", key: string, text: string): void {
  try {
    storage(where).setItem(key, text);
  } catch {
    memory.set(`${where} ${key}`, text);
  }
}

function storage(where: "browser" | "tab"): Storage {
  return where === "browser" ? localStorage : sessionStorage;
}
