import { textField } from "../../../domain/json/json.js";
import { firstRecord } from "../../files/bytes/read-short.js";
import { filePerSession } from "../../transcripts/folder/file-per-session.js";
import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { loneSession } from "../../transcripts/folder/transcript-files.js";
import { PlainFollower, type PlainRecord } from "../../transcripts/recorder/plain-follower.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { readRecord } from "./parts.js";

const LONGEST_ID = 200;

/** Reads stored sessions, and the stream of `droid exec`. @see `docs/experimental.md` */
export const droidFormat: TranscriptFormat<PlainRecord> = {
  name: "droid",
  folder: filePerSession({
    depth: 3,
    isNamed: (name) => name.endsWith(".jsonl"),
    *sessionOf(root, file) {
      const first = (yield* firstRecord(root, file, "messages")) ?? {};
      const stored = first.type === "session_start" ? textField(first, "id") : undefined;
      const isStream = textField(first, "session_id") !== undefined && textField(first, "text") !== undefined;
      const id = stored ?? (isStream ? textField(first, "session_id") : undefined);
      if (id === undefined) return undefined;
      const directory = textField(first, "cwd");
      const lone = loneSession(file);
      const sessionId = id.length > LONGEST_ID ? lone.sessionId : id;
      const tenantId = directory?.replace(/[^a-zA-Z0-9]/g, "-").slice(0, LONGEST_ID) ?? lone.tenantId;
      return { ...lone, tenantId, sessionId, ...(directory === undefined ? {} : { directory }) };
    },
  }),
  parts: readRecord,
  follower: (recorder) => new PlainFollower(recorder),
  messageMembers: { own: "message" },
  instantMember: "timestamp",
};

export const steps = readingSteps(droidFormat);

export const DROID_TASKS = tasksOf(import.meta.url, "droid-format", steps);
