import type { JsonList, UnchangedList } from "../../src/advanced.js";

export async function recordsOf<T = Record<string, unknown>>(list: JsonList | UnchangedList): Promise<T[]> {
  if (list.isUnchanged) throw new Error("the list is unchanged");
  const texts: string[] = [];
  for await (const text of list.texts) texts.push(new TextDecoder().decode(text));
  return JSON.parse(`[${texts.join(",")}]`) as T[];
}
