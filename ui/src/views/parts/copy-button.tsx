import { useState } from "react";
import { copyText } from "../../app/copy-text.js";
import { STRINGS } from "../../strings.js";

interface CopyButtonProps {
  readonly label: string;
  text(): string | Promise<string>;
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  const copy = async () => {
    setSaid((await copyText(await text())) ? STRINGS.detail.copied : STRINGS.detail.notCopied);
    setTimeout(() => setSaid(undefined), 1500);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {said ?? label}
    </button>
  );
}
