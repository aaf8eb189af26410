import { useState } from "react";
import { TEXTS } from "../../texts.js";

interface CopyButtonProps {
  readonly label: string;
  text(): string | Promise<string>;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {copied ? TEXTS.detail.copied : label}
    </button>
  );
}
