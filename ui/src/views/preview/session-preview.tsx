import type { InspectorSessionItem } from "../../../../src/domain/session/session.js";
import { plainText } from "../../model/sessions/session-title.js";
import { STRINGS } from "../../strings/strings.js";
import styles from "./session-preview.module.css";

const { preview: strings } = STRINGS.list;

const HEIGHT = 300;

export interface PreviewPosition {
  /** The part of the window that the row takes. */
  readonly row: { readonly top: number; readonly bottom: number };
  /** Away from the pointer. */
  readonly side: "left" | "right";
}

export interface Preview extends PreviewPosition {
  readonly session: InspectorSessionItem;
}

interface SessionPreviewProps {
  readonly preview: Preview;
  onStay(): void;
  onLeave(): void;
}

/** Below or above its row, away from the pointer. */
export default function SessionPreview({ preview, onStay, onLeave }: SessionPreviewProps) {
  const { session, row, side } = preview;
  const isBelow = row.bottom + HEIGHT < innerHeight || row.top < HEIGHT;
  return (
    <div
      role="tooltip"
      id="session-preview"
      className={styles.preview}
      data-side={side}
      style={isBelow ? { top: row.bottom } : { bottom: innerHeight - row.top }}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
    >
      {session.waitingFor && <LabelledText label={strings.waitingFor} text={session.waitingFor} />}
      {session.prompt && <LabelledText label={strings.prompt} text={session.prompt} />}
      {session.lastAnswer && <LabelledText label={strings.lastAnswer} text={session.lastAnswer} />}
    </div>
  );
}

function LabelledText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <section>
      <h2>{label}</h2>
      <p dir="auto">{plainText(text)}</p>
    </section>
  );
}
