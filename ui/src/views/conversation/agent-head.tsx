import { changeQuery, type SessionTab, sessionAddress } from "../../model/address/address.js";
import { jobAnswer } from "../../model/agents/agent-forest.js";
import { CONVERSATION_STRINGS } from "../../strings/conversation-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { useJobPrompt } from "../agents/use-job-prompt.js";
import type { TabProps } from "../parts/tab-props.js";
import { TextBlock } from "../texts/text-block.js";
import { contentsOf } from "../trace/row-strings.js";
import styles from "./agent-head.module.css";

interface AgentHeadProps extends TabProps {
  readonly agentId: string;
  /** Prompt and answer are open at first: there is nothing else to see. */
  readonly isOpen: boolean;
}

const strings = CONVERSATION_STRINGS;

export function AgentHead({ route, session, agentId, isOpen }: AgentHeadProps) {
  const prompt = useJobPrompt(agentId, session);
  const traced = session.tracedAgents.find(({ id }) => id === agentId);
  const agent = session.agents.find((one) => one.agentId === agentId);
  const answer = agent === undefined ? "" : jobAnswer(agent).text;
  const requestedBy = traced?.requestedBy;
  const asker =
    session.tracedAgents.find(({ id }) => id === requestedBy?.agentId)?.name ?? STRINGS.trace.mainAgent;
  const link = (tab: SessionTab, query: { readonly [name: string]: string }) =>
    sessionAddress(route, tab, changeQuery({}, query));
  return (
    <section className={styles.head} aria-label={strings.about}>
      <p className={styles.links}>
        {traced !== undefined && <span>{contentsOf(traced.totals, "agent")}</span>}
        {requestedBy !== undefined && (
          <a href={link("messages", { agent: requestedBy.agentId, call: requestedBy.callId })}>
            {strings.promptLink(asker)}
          </a>
        )}
        {route.tab === "messages" ? (
          <>
            <a href={link("context", { agent: agentId, call: "1" })}>{strings.initialContext}</a>
            <a href={link("context", { agent: agentId })}>{strings.context}</a>
          </>
        ) : (
          <a href={link("messages", { agent: agentId })}>{strings.conversation}</a>
        )}
        <a href={link("trace", { agent: agentId })}>{strings.steps}</a>
      </p>
      <details key={String(isOpen)} open={isOpen}>
        <summary>
          {strings.prompt}: <span>{prompt}</span>
        </summary>
        {prompt === "" && <p>{strings.noPrompt}</p>}
        {prompt && <TextBlock text={prompt} lines={6} />}
        <h2>{strings.result}</h2>
        {answer === "" && !session.loading && <p>{strings.noAnswer}</p>}
        {answer !== "" && <TextBlock text={answer} lines={6} />}
        {requestedBy !== undefined && (
          <a href={link("messages", { agent: requestedBy.agentId, call: requestedBy.callId })}>
            {strings.resultLink(asker)}
          </a>
        )}
      </details>
    </section>
  );
}
