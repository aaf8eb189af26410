import { useEffect, useRef } from "react";
import { endpointAddress } from "../../api/endpoint-address.js";
import { apiBase, engine } from "../../app/engine.js";
import { partOfStep } from "../../app/share-request.js";
import { useAnswer } from "../../app/use-answer.js";
import { useKeys } from "../../app/use-keys.js";
import type { SpanDetail } from "../../engine/trace/trace-protocol.js";
import { type AddressQuery, sessionAddress } from "../../model/address/address.js";
import { STRINGS } from "../../strings/strings.js";
import { CopyButton } from "../parts/copy-button.js";
import { CopyForAgent } from "../parts/copy-for-agent.js";
import { JsonTree } from "../parts/json-tree.js";
import type { TabProps } from "../parts/tab-props.js";
import styles from "./detail-pane.module.css";
import { DetailReadable } from "./detail-readable.js";
import { rowTitle } from "./row-strings.js";

interface DetailPaneProps extends TabProps {
  readonly selected: string;
  readonly json: boolean;
  readonly version: number;
  onToggleJson(): void;
  onChange(changes: AddressQuery): void;
}

const { detail: strings, kinds } = STRINGS;

/** Fields by kind, and JSON beside them, or below without room. */
export default function DetailPane(props: DetailPaneProps) {
  const { route, session, selected, json, version, onToggleJson, onChange } = props;
  const { tenantId, sessionId } = route;
  const { loading } = session;
  const answer = useAnswer(
    async () => ({ of: selected, loading, detail: await engine.call("traceDetail", selected) }),
    [selected, version, loading],
  );
  const detail = answer?.detail;
  // The unread part of the trace may contain it.
  const isGone = answer?.of === selected && !answer.loading && detail === undefined;
  useKeys({ r: onToggleJson });
  const { row, ancestors, modelCall } = detail ?? {};
  const callId = detail === undefined ? undefined : toolCallOf(detail);
  const agents = session.tracedAgents.filter(({ id, requestedBy }) =>
    row?.kind === "agent" ? id === row.agentId : callId !== undefined && requestedBy?.callId === callId,
  );
  return (
    <aside
      className={styles.pane}
      aria-label={strings.label}
      aria-busy={answer?.of !== selected}
      data-json={json}
    >
      <header className={styles.head}>
        <div className={styles.path}>
          {ancestors?.map(({ id, kind, name }) => (
            <button type="button" key={id} onClick={() => onChange({ event: id })}>
              {name || kinds[kind]} ›
            </button>
          ))}
        </div>
        <div className={styles.title}>
          <h2 data-kind={row?.kind}>{isGone ? strings.gone : row && rowTitle(row, false)}</h2>
          {row !== undefined && <small>{row.type}</small>}
          <button type="button" aria-label={strings.close} onClick={() => onChange({ event: "", hit: "" })}>
            ✕
          </button>
        </div>
        {row !== undefined && (
          <div className={styles.actions}>
            <CopyButton label={strings.copyJson} text={() => engine.call("traceText", selected)} />
            <CopyButton
              label={strings.copyCurl}
              text={() =>
                `curl -s '${endpointAddress(apiBase(), "/sessions/{sessionId}/trace", { tenantId, sessionId }).replaceAll("'", "'\\''")}'`
              }
            />
            <CopyButton label={strings.copyLink} text={() => location.href} />
            <CopyForAgent session={route} only={partOfStep(row.id)} hasKey />
          </div>
        )}
        <p className={styles.links}>
          {modelCall !== undefined && (
            <a
              href={sessionAddress(route, "context", {
                agent: row?.agentId ?? "",
                event: modelCall,
                time: String(row?.at ?? ""),
              })}
            >
              {strings.sawBefore}
            </a>
          )}
          {modelCall !== undefined && callId !== undefined && (
            <a href={sessionAddress(route, "messages", { agent: row?.agentId ?? "", call: callId })}>
              {strings.inMessages}
            </a>
          )}
          {agents.map(({ id, name }) => (
            <a key={id} href={sessionAddress(route, "messages", { agent: id })}>
              {strings.conversation(name)}
            </a>
          ))}
        </p>
      </header>
      {detail !== undefined && (
        <div className={styles.body} data-details="true">
          <div className={styles.readable}>
            <DetailReadable
              key={detail.row.id}
              detail={detail}
              agentName={session.tracedAgents.find(({ id }) => id === detail.row.agentId)?.name}
              onSelect={(event) => onChange({ event })}
            />
            {detail.cut && <p className={styles.note}>{strings.cut}</p>}
          </div>
          <DetailJson detail={detail} open={json} onToggle={onToggleJson} />
        </div>
      )}
    </aside>
  );
}

function toolCallOf({ row, start }: SpanDetail): string | undefined {
  if (row.kind !== "tool") return undefined;
  const event = (start as { event?: { toolCallId?: unknown } }).event;
  return typeof event?.toolCallId === "string" ? event.toolCallId : undefined;
}

interface DetailJsonProps {
  readonly detail: SpanDetail;
  readonly open: boolean;
  onToggle(): void;
}

function DetailJson({ detail: { start, end }, open, onToggle }: DetailJsonProps) {
  const section = useRef<HTMLElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    // Below a long view, the reader would not notice it.
    if (open && !wasOpen.current) section.current?.scrollIntoView({ block: "start" });
    wasOpen.current = open;
  }, [open]);
  return (
    <section ref={section} className={styles.json} data-open={open} aria-label={STRINGS.detail.raw}>
      <h3>
        <button type="button" aria-expanded={open} onClick={onToggle}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span> {STRINGS.detail.raw}
          <kbd>r</kbd>
        </button>
      </h3>
      {open && <JsonTree value={end === undefined ? start : { start, end }} />}
    </section>
  );
}
