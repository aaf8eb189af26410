import { changeAddress } from "../../app/address-store.js";
import type { SessionState } from "../../engine/trace/trace-protocol.js";
import { type AddressQuery, speakerOf } from "../../model/address/address.js";
import { CONVERSATION_STRINGS } from "../../strings/conversation-strings.js";
import { STRINGS } from "../../strings/strings.js";
import { Listbox } from "../parts/listbox.js";
import styles from "./agent-head.module.css";

interface SpeakerChoiceProps {
  readonly session: SessionState;
  readonly query: AddressQuery;
}

/** Empty without sub-agents. */
export default function SpeakerChoice({ session, query }: SpeakerChoiceProps) {
  const speaker = speakerOf(query);
  const traced = session.tracedAgents.map(({ id, name }) => ({ value: id, label: name }));
  const others = session.agents
    .filter(({ agentId }) => !traced.some(({ value }) => value === agentId))
    .map(({ agentId, displayName }) => ({ value: agentId, label: displayName }));
  const options = [...traced, ...others];
  if (options.length === 0 && speaker === "") return null;
  return (
    <p className={styles.choice}>
      <Listbox
        label={CONVERSATION_STRINGS.choose}
        all={STRINGS.trace.mainAgent}
        value={speaker}
        options={options}
        // Other parts of an address refer to the previous conversation. "Back" undoes this step.
        onChoose={(agent) => changeAddress(agent === "" ? {} : { agent }, false)}
      />
    </p>
  );
}
