import type { ReportedCall } from "../../transcripts/calls.js";
import type * as parts from "../../transcripts/parts.js";
import type { ReportedTotal } from "./totals.js";

export type CopilotPart =
  | Exclude<parts.CommonPart, { readonly is: "prompt" | "call" | "compaction" }>
  /** Followed by the text to display if it does not begin a turn: `isWithin` if it came while the model worked. */
  | (parts.PromptPart & { readonly isWithin: boolean })
  | (parts.CallPart & { readonly isBackground: boolean })
  /** `removesAll` if no earlier message remains visible. */
  | (parts.CompactionPart & { readonly removesAll: boolean })
  | (parts.Part & { readonly is: "thinking"; readonly text: string })
  | (parts.Part & { readonly is: "request" | "usage" })
  | (parts.Part & { readonly is: "settings"; readonly model: string | undefined })
  | (parts.Part & { readonly is: "total" } & ReportedTotal)
  /** A sub-agent begins, whose conversation that of the record is; `callerId` is `""` where the session itself spawned it. */
  | (parts.Part & {
      readonly is: "spawned";
      readonly toolCallId: string;
      readonly isBackground: boolean;
      readonly model: string | undefined;
      readonly note: parts.SpawnNote;
      readonly callerId: string;
    });

/** The content of a record, and its owner. */
export interface CopilotRecord extends parts.RecordParts<CopilotPart> {
  readonly type: string;
  readonly agentId: string | undefined;
  /** The call that spawned the agent whose record it is: older versions name nothing else. */
  readonly spawnId: string | undefined;
  readonly requestsTools: boolean;
  /** True if a person ran the tool: the model does not wait for it. */
  readonly isByUser: boolean;
  call(): ReportedCall | undefined;
}
