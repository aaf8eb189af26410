import { useState } from "react";
import { STRINGS } from "../../strings/strings.js";

interface CopyButtonProps {
  readonly label: string;
  readonly hint?: string;
  text(): string | Promise<string>;
}

export function CopyButton({ label, hint, text }: CopyButtonProps) {
  const [result, setResult] = useState<string>();
  const copy = async () => {
    setResult((await copyText(await text())) ? STRINGS.detail.copied : STRINGS.detail.notCopied);
    setTimeout(() => setResult(undefined), 1500);
  };
  return (
    <button type="button" data-tip={hint} onClick={copy} aria-live="polite">
      {result ?? label}
    </button>
  );
}

/**
 * Puts a text on the clipboard. A page that was loaded over plain HTTP from another machine has no
 * `navigator.clipboard`; there the text is copied from a selected field.
 *
 * @returns whether it was copied
 */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
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
