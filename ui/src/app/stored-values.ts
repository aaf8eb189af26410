/** For a page that may not store anything in the browser. */
const memory = new Map<string, string>();

/** A browser may store nothing for a page that is a file. */
export function storedValue(where: "browser" | "tab", key: string): string {
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
