import { useMemo, useState } from "react";
import { isJsonObject } from "../../../../src/domain/json/json.js";
import { initiallyOpen } from "../../model/lists/initially-open.js";
import styles from "./json-tree.module.css";

const STEP = 50;
const SHORT_TEXT = 400;

/** Renders branches when they are opened, so that the cost does not grow with the size. */
export function JsonTree({ value }: { readonly value: unknown }) {
  const opened = useMemo(() => initiallyOpen(value), [value]);
  return (
    <div className={styles.tree}>
      <Branch value={value} opened={opened} />
    </div>
  );
}

interface BranchProps {
  readonly value: unknown;
  readonly opened: ReadonlySet<unknown>;
}

function Branch({ value, opened }: BranchProps) {
  const [visible, setVisible] = useState(STEP);
  if (!Array.isArray(value) && !isJsonObject(value)) return <Leaf value={value} />;
  const members = Object.entries(value);
  if (members.length === 0) return <code>{Array.isArray(value) ? "[]" : "{}"}</code>;
  return (
    <ul>
      {members.slice(0, visible).map(([name, member]) => (
        <li key={name}>
          <Member name={name} value={member} opened={opened} />
        </li>
      ))}
      {members.length > visible && (
        <li>
          <button type="button" onClick={() => setVisible(visible + STEP * 4)}>
            +{members.length - visible}
          </button>
        </li>
      )}
    </ul>
  );
}

function Member({ name, value, opened }: BranchProps & { readonly name: string }) {
  const [open, setOpen] = useState(() => opened.has(value));
  const size = Array.isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
  if (size === 0) {
    return (
      <>
        <b>{name}</b> <Branch value={value} opened={opened} />
      </>
    );
  }
  return (
    <>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "▾" : "▸"} <b>{name}</b> <small>{Array.isArray(value) ? `[${size}]` : `{${size}}`}</small>
      </button>
      {open && <Branch value={value} opened={opened} />}
    </>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isComplete, setComplete] = useState(false);
  if (typeof value !== "string") return <code data-type={typeof value}>{String(value)}</code>;
  const long = value.length > SHORT_TEXT;
  return (
    <code data-type="string">
      {long && !isComplete ? value.slice(0, SHORT_TEXT) : value}
      {long && (
        <button type="button" onClick={() => setComplete(!isComplete)}>
          {isComplete ? "−" : `… +${value.length - SHORT_TEXT}`}
        </button>
      )}
    </code>
  );
}
