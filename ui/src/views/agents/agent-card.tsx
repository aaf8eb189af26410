import { lazy, Suspense, useEffect, useState } from "react";
import { isJsonObject, objectField, textField } from "../../../../src/domain/json.js";
import type { OrchestrationAgent } from "../../../../src/domain/orchestration.js";
import { engine } from "../../app/engine.js";
import { type SessionRoute, sessionAddress } from "../../model/address.js";
import { agentState } from "../../model/agent-forest.js";
import type { SpanTotals } from "../../model/span.js";
import { STRINGS } from "../../strings/strings.js";
import { Instant } from "../parts/instant.js";
import { StatusMark } from "../parts/status-mark.js";
import { TextBlock } from "../parts/text-block.js";
import { contentsOf } from "../trace/row-strings.js";
import styles from "./agents-view.module.css";

const FormattedText = lazy(() => import("../texts/formatted-text.js"));

interface AgentCardProps {
  readonly route: SessionRoute;
  readonly agent: OrchestrationAgent | undefined;
  /** The totals of its part of the trace. */
  readonly did: SpanTotals | undefined;
  /** Increases when the trace has changed: the event with the job's input may have been added. */
  readonly version: number;
}

const { agents: strings, detail } = STRINGS;

/** The selected agent, with the input and the output of its last job. */
export function AgentCard({ route, agent, did, version }: AgentCardProps) {
  const input = useJobInput(agent?.agentId, version);
  if (agent === undefined) {
    return (
      <aside className={styles.card} aria-label={detail.label} data-empty="true">
        {strings.pick}
      </aside>
    );
  }
  const job = agent.lastJob;
  const answer = job?.error ?? job?.outputText ?? job?.outcome ?? "";
  return (
    <aside className={styles.card} aria-label={detail.label}>
      <h2>{agent.displayName}</h2>
      <p>
        <StatusMark status={agentState(agent)} /> {agent.role}
      </p>
      <dl>
        <dt>{detail.started}</dt>
        <dd>
          <Instant at={Date.parse(agent.createdAt)} />
        </dd>
        {agent.closedAt !== undefined && (
          <>
            <dt>{detail.ended}</dt>
            <dd>
              <Instant at={Date.parse(agent.closedAt)} />
            </dd>
          </>
        )}
        <dt>{strings.events}</dt>
        <dd>{did?.events ?? agent.events}</dd>
        {did !== undefined && (
          <>
            <dt>{strings.did}</dt>
            <dd>{contentsOf(did, "agent")}</dd>
          </>
        )}
        {agent.parentAgentId !== undefined && (
          <>
            <dt>{strings.spawnedBy}</dt>
            <dd>{agent.parentAgentId}</dd>
          </>
        )}
      </dl>
      <p>
        <a href={sessionAddress(route, "trace", { agent: agent.agentId })}>{strings.showTrace}</a>
      </p>
      {input !== "" && (
        <>
          <h3>{strings.jobInput}</h3>
          <TextBlock text={input} />
        </>
      )}
      <h3>{strings.jobOutput}</h3>
      {job === undefined ? (
        <p>{strings.noJob}</p>
      ) : (
        <Suspense fallback={<TextBlock text={answer} />}>
          <FormattedText key={answer} text={answer} />
        </Suspense>
      )}
    </aside>
  );
}

/** The input of a job is in the event that began it. */
function useJobInput(agentId: string | undefined, version: number): string {
  const [input, setInput] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may know more
  useEffect(() => {
    if (agentId === undefined) return;
    let stale = false;
    engine.call("agentJob", agentId).then((event) => {
      if (!stale) setInput(isJsonObject(event) ? (promptOf(event) ?? "") : "");
    });
    return () => {
      stale = true;
    };
  }, [agentId, version]);
  return input;
}

function promptOf(event: { readonly [key: string]: unknown }): string | undefined {
  const job = objectField(event, "job");
  return (
    textField(job, "prompt") ??
    textField(job, "input") ??
    textField(event, "prompt") ??
    textField(event, "input") ??
    textField(objectField(event, "input"), "text")
  );
}
