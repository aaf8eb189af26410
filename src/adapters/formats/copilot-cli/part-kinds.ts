import type { ReportedCall } from "../../transcripts/recorder/calls.js";
import type * as parts from "../../transcripts/recorder/parts.js";
import type { ReportedTotal } from "./totals.js";

export type CopilotPart =
  | Exclude<parts.CommonPart, { readonly is: "prompt" | "call" | "compaction" }>
  /** The text part follows unless it begins a turn. `isWithin`: it came while the model worked. */
  | (parts.PromptPart & { readonly isWithin: boolean })
  | (parts.CallPart & { readonly isBackground: boolean })
  | (parts.CompactionPart & { readonly removesAll: boolean })
  | (parts.Part & { readonly is: "thinking"; readonly text: string })
  | (parts.Part & { readonly is: "request" | "usage" })
  | (parts.Part & { readonly is: "settings"; readonly model: string | undefined })
  | (parts.Part & { readonly is: "total" } & ReportedTotal)
  /** The record belongs to the new sub-agent's conversation. `callerId` is `""` if the session itself spawned it. */
  | (parts.Part & {
      readonly is: "spawned";
      readonly toolCallId: string;
      readonly isBackground: boolean;
      readonly model: string | undefined;
      readonly note: parts.SpawnNote;
      readonly callerId: string;
    });

export interface CopilotRecord extends parts.RecordParts<CopilotPart> {
  readonly type: string;
  readonly agentId: string | undefined;
  /** The call that spawned the record's agent: older versions name nothing else. */
  readonly spawnId: string | undefined;
  readonly requestsTools: boolean;
  /** A person ran the tool, so the model does not wait for it. */
  readonly isByUser: boolean;
  call(): ReportedCall | undefined;
}
