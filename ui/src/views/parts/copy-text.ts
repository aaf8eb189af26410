/**
 * Over plain HTTP from another machine there is no `navigator.clipboard`: copies from a selected field.
 * @returns false on failure
 */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

/**
 * Browsers allow a copy only for a moment after a press, so those that accept a promise get it in that moment.
 * @throws the rejection of `text`
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  const isTaken = await writeLater(text).catch(() => false);
  return isTaken || copyText(await text);
}

async function writeLater(text: Promise<string>): Promise<boolean> {
  if (navigator.clipboard?.write === undefined || typeof ClipboardItem === "undefined") return false;
  const blob = text.then((ready) => new Blob([ready], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  return true;
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
