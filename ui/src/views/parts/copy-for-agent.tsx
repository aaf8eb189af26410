import { useState } from "react";
import type { SessionKey } from "../../../../src/domain/session/session-key.js";
import { formatCount } from "../../../../src/domain/text/figures.js";
import { announce } from "../../app/announcer.js";
import { engine } from "../../app/engine.js";
import { isServed } from "../../app/page-parts.js";
import type { SharedPart } from "../../app/share-request.js";
import { SHARE_STRINGS } from "../../strings/share-strings.js";
import { copyLater } from "./copy-text.js";

export interface Prompted {
  readonly session: SessionKey;
  readonly only?: SharedPart | undefined;
  readonly other?: SessionKey | undefined;
}

const { agent: strings } = SHARE_STRINGS;

/** Copies a prompt without secrets, and announces the number of removed values: people do not check the text that they paste. */
export async function copyForAgent({ session, only, other }: Prompted): Promise<void> {
  announce(strings.copying, true);
  const { tenantId, sessionId } = session;
  const otherOne = other && { otherTenantId: other.tenantId, otherSessionId: other.sessionId };
  const prompt = engine.call("exportPrompt", { tenantId, sessionId, only, ...otherOne });
  const text = prompt.then((answer) => ("problem" in answer ? Promise.reject(answer.problem) : answer.text));
  const isCopied = await copyLater(text).catch(() => false);
  const answer = await prompt;
  if ("problem" in answer) announce(strings.failed(answer.problem.detail), true);
  else if (!isCopied) announce(strings.notCopied, true);
  else announce(strings.copied(answer.removed, formatCount(answer.removed)), true);
}

interface CopyForAgentProps extends Prompted {
  readonly label?: string;
  readonly hasKey?: boolean;
}

export function CopyForAgent({ label = strings.label, hasKey = false, ...prompted }: CopyForAgentProps) {
  const [isBusy, setBusy] = useState(false);
  const copy = async () => {
    if (isBusy) return;
    setBusy(true);
    await copyForAgent(prompted);
    setBusy(false);
  };
  if (!isServed) return null;
  return (
    <button
      type="button"
      data-tip={hasKey ? strings.hintWithKey : strings.hint}
      aria-busy={isBusy}
      onClick={copy}
    >
      {label}
    </button>
  );
}
