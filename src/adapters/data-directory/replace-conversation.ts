import { lstat, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { OutsideFolderError } from "../files/bytes/contained-writes.js";
import { draftIn, linkNew, withDraft } from "./new-files.js";
import type { SessionFiles } from "./session-files.js";

/**
 * Replaces and archives the conversation while others append to it or replace it. No lock, because a killed process would leave it
 * behind. `0002.jsonl` in the folder of compactions is a replaced conversation; `0002.open` is the present one: another name of
 * `messages.jsonl`. A conversation has its number before another one replaces it, so a rename loses neither a conversation nor the
 * records of writers that have it open. A number is used once, because `link` refuses an existing name.
 * @throws OutsideFolderError if the present conversation is a link
 */
export async function replaceConversation(
  { messages, compactions }: Pick<SessionFiles, "messages" | "compactions">,
  text: string,
): Promise<void> {
  await withDraft(compactions, text, async (draft) => {
    if (await linkNew(draft, messages)) return;
    while (!(await takeNextNumber(compactions, draft, messages)));
    await publishNewest(compactions, messages);
  });
}

interface Numbered {
  readonly number: number;
  readonly isOpen: boolean;
  readonly file: string;
}

async function takeNextNumber(folder: string, draft: string, messages: string): Promise<boolean> {
  if ((await lstat(messages)).isSymbolicLink())
    throw new OutsideFolderError(`${path.basename(messages)} is a link: it is not replaced`);
  const current = await identityOf(messages); // before the numbers are read: nobody replaces it without one
  const numbered = await numberedIn(folder);
  const next = (numbered.at(-1)?.number ?? 0) + 1;
  const identities = await Promise.all(numbered.map(({ file }) => identityOf(file)));
  if (identities.includes(undefined)) return false;
  if (identities.includes(current)) return takeNumber(folder, draft, next);
  await takeNumber(folder, messages, next);
  return false;
}

async function takeNumber(folder: string, file: string, number: number): Promise<boolean> {
  const name = nameOf(folder, number, OPEN);
  if (!(await linkNew(file, name))) return false;
  // Another process may have taken and archived the number, or published ours and taken the next one.
  const archived = await identityOf(nameOf(folder, number, ARCHIVED));
  if (archived === undefined || archived === (await identityOf(file))) return true;
  await rm(name, { force: true });
  return false;
}

async function publishNewest(folder: string, messages: string): Promise<void> {
  for (;;) {
    const numbered = await numberedIn(folder);
    const archived = new Set(numbered.filter(({ isOpen }) => !isOpen).map(({ number }) => number));
    const open = numbered.filter(({ isOpen }) => isOpen);
    const newest = open.filter(({ number }) => !archived.has(number)).at(-1);
    if (newest === undefined) return;
    const identity = await identityOf(newest.file);
    if (identity === undefined) continue;
    if (identity === (await identityOf(messages))) {
      for (const entry of open) if (entry !== newest) await archive(folder, entry);
      return;
    }
    await publish(newest.file, messages);
  }
}

/** A slower process may publish an older conversation after it, but then finds the newer one and publishes that. */
async function publish(file: string, messages: string): Promise<void> {
  const draft = draftIn(path.dirname(file));
  try {
    await linkNew(file, draft);
    await rename(draft, messages);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  } finally {
    await rm(draft, { force: true }); // a rename to another name of the same file leaves both
  }
}

async function archive(folder: string, { file, number }: Numbered): Promise<void> {
  try {
    await linkNew(file, nameOf(folder, number, ARCHIVED));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await rm(file, { force: true });
}

const OPEN = "open";
const ARCHIVED = "jsonl";

function nameOf(folder: string, number: number, ending: typeof OPEN | typeof ARCHIVED): string {
  return path.join(folder, `${String(number).padStart(4, "0")}.${ending}`);
}

async function numberedIn(folder: string): Promise<Numbered[]> {
  const numbered: Numbered[] = [];
  for (const name of await readdir(folder)) {
    const [, number, ending] = /^(\d+)\.(open|jsonl)$/.exec(name) ?? [];
    if (number === undefined) continue;
    numbered.push({ number: Number(number), isOpen: ending === OPEN, file: path.join(folder, name) });
  }
  return numbered.sort((a, b) => a.number - b.number);
}

/** `undefined` without a file. A link counts as a file, so that nobody waits for a planted one. */
async function identityOf(name: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(name, { bigint: true });
    return `${dev}.${ino}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
