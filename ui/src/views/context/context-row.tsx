import { lazy, Suspense, useState } from "react";
import { engine } from "../../app/engine.js";
import type { ContextLine } from "../../engine/message-protocol.js";
import { type SessionRoute, sessionAddress } from "../../model/address.js";
import { formatTokens } from "../../model/formats.js";
import { STRINGS } from "../../strings.js";
import { TextBlock } from "../parts/text-block.js";
import styles from "./context-lines.module.css";

const TextDiff = lazy(() => import("./text-diff.js"));

interface ContextRowProps {
  readonly line: Exclude<ContextLine, { change: "run" }>;
  readonly route: SessionRoute;
}

const { context: strings, messages } = STRINGS;

const SIGNS = { added: "+", kept: "=", rewritten: "~", dropped: "−" } as const;

/** A message of the context, and what became of it. Unfolds to its text, or to what changed in it. */
export function ContextRow({ line, route }: ContextRowProps) {
  const { change, before, after } = line;
  const message = after ?? before!;
  const [open, setOpen] = useState<{ readonly before: string; readonly after: string }>();
  const unfold = async () => {
    const [a, b] = await Promise.all(
      [before, after].map((side) => (side === undefined ? "" : engine.call("messageText", side.index))),
    );
    setOpen({ before: a ?? "", after: b ?? "" });
  };
  return (
    <li data-change={change}>
      <button
        type="button"
        className={styles.row}
        aria-expanded={open !== undefined}
        onClick={open === undefined ? unfold : () => setOpen(undefined)}
      >
        <span className={styles.sign} title={strings.changes[change]}>
          <span aria-hidden="true">{SIGNS[change]}</span>
          <span className="visually-hidden">{strings.changes[change]}</span>
        </span>
        <span className={styles.origin}>{messages.origins[message.origin]}</span>
        <span className={styles.preview}>{message.preview}</span>
        <small>≈{formatTokens(message.tokens)}</small>
      </button>
      {open !== undefined && (
        <div className={styles.text}>
          <a href={sessionAddress(route, "messages", { at: String(message.index) })}>{strings.inMessages}</a>
          {change === "rewritten" ? (
            <Suspense>
              <TextDiff before={open.before} after={open.after} />
            </Suspense>
          ) : (
            <TextBlock text={open.after || open.before} />
          )}
        </div>
      )}
    </li>
  );
}
