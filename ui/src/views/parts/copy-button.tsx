import { useState } from "react";
import { STRINGS } from "../../strings/strings.js";
import { copyText } from "./copy-text.js";

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
