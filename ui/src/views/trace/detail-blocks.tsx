import { Suspense } from "react";
import { isJsonObject } from "../../../../src/domain/json/json.js";
import { engine } from "../../app/engine.js";
import type { BookkeepingList, CallAnswer, SpanDetail } from "../../engine/trace/trace-protocol.js";
import { STRINGS } from "../../strings/strings.js";
import { CallInput } from "../changes/call-input.js";
import { JsonTree } from "../parts/json-tree.js";
import { lazyView } from "../parts/lazy-view.js";
import { SpokenBlock } from "../texts/spoken-block.js";
import { TextBlock } from "../texts/text-block.js";
import styles from "./detail-readable.module.css";

const Images = lazyView(() => import("../texts/images.js"));

const { detail: strings, textKinds, kinds } = STRINGS;

interface BlockProps {
  readonly title: string;
  readonly value: unknown;
  readonly failed?: boolean;
  readonly formatted?: boolean;
}

const MAX_FIELDS = 30;

export function Block({ title, value, failed = false, formatted = false }: BlockProps) {
  if (isEmpty(value)) return null;
  return (
    <section className={styles.block} data-failed={failed}>
      <h3>{title}</h3>
      {formatted && typeof value === "string" ? <SpokenBlock text={value} /> : <Value value={value} />}
    </section>
  );
}

export function InputBlock({ id, value }: { readonly id: string; readonly value: unknown }) {
  return (
    <section className={styles.block}>
      <h3>{strings.input}</h3>
      {isEmpty(value) ? (
        <p>{strings.noInput}</p>
      ) : (
        <CallInput
          ask={() => engine.call("traceChanges", id)}
          recorded={<Value value={value} />}
          rest={(rest) => <Value value={rest} />}
        />
      )}
    </section>
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function Value({ value }: { readonly value: unknown }) {
  const members = isJsonObject(value) ? Object.entries(value) : undefined;
  const hasFields = members !== undefined && members.length > 0 && members.length <= MAX_FIELDS;
  const fields = hasFields ? members : undefined;
  return (
    <>
      {typeof value === "string" && <TextBlock text={value} />}
      {fields?.map(([name, field]) => (
        <div key={name} className={styles.field}>
          <span>{name}</span>
          {typeof field === "string" ? <TextBlock text={field} /> : <JsonTree value={field} />}
        </div>
      ))}
      {typeof value !== "string" && fields === undefined && <JsonTree value={value} />}
    </>
  );
}

interface DetailAnswerProps {
  readonly answer: CallAnswer;
  onSelect(id: string): void;
}

export function DetailAnswer({ answer: { texts, calls, more }, onSelect }: DetailAnswerProps) {
  return (
    <>
      {texts.map(({ id, type, text }) => (
        <section key={id} className={styles.block}>
          <h3>{textKinds.get(type) ?? kinds.text}</h3>
          <SpokenBlock text={text} />
        </section>
      ))}
      {calls.length > 0 && (
        <section className={styles.block}>
          <h3>{strings.calls}</h3>
          <ul className={styles.calls}>
            {calls.map(({ id, name, preview }) => (
              <li key={id}>
                <button type="button" onClick={() => onSelect(id)}>
                  <b>{name || kinds.tool}</b> {preview}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {more > 0 && <p>{strings.moreParts(more)}</p>}
    </>
  );
}

interface DetailBookkeepingProps {
  readonly bookkeeping: BookkeepingList;
  onSelect(id: string): void;
}

export function DetailBookkeeping({ bookkeeping: { records, more }, onSelect }: DetailBookkeepingProps) {
  if (records.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>{strings.bookkeeping}</h3>
      <ul className={styles.calls}>
        {records.map(({ id, type, preview, error }) => (
          <li key={id}>
            <button type="button" onClick={() => onSelect(id)}>
              <b>{type}</b> {preview}
              {error !== undefined && <em> ✕ {error}</em>}
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p>{strings.moreRecords(more)}</p>}
    </section>
  );
}

export function DetailImages({ detail: { row, start, end } }: { readonly detail: SpanDetail }) {
  if (!holdsImage([start, end])) return null;
  return (
    <Suspense fallback={null}>
      <Images ask={() => engine.call("traceImages", row.id)} />
    </Suspense>
  );
}

/** No tool nests its output deeper. */
const MAX_DEPTH = 12;

const MEDIA_MEMBERS = ["type", "modality", "mime_type", "mediaType"];

/** Image data may be truncated here; the engine has all. */
function holdsImage(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return false;
  if ("inlineData" in value || "inline_data" in value) return true;
  const isImage = (name: string) => {
    const kind: unknown = Reflect.get(value, name);
    return typeof kind === "string" && kind.includes("image");
  };
  return MEDIA_MEMBERS.some(isImage) || Object.values(value).some((member) => holdsImage(member, depth + 1));
}
