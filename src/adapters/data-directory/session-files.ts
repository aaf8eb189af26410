import path from "node:path";

/** `docs/data-directory.md` describes the layout. */
export interface SessionFiles {
  readonly folder: string;
  readonly session: string;
  readonly messages: string;
  readonly compactions: string;
  readonly trace: string;
  readonly orchestration: string;
  readonly checkpoint: string;
}

export const LISTED_FILES = {
  session: "session.jsonl",
  trace: path.join("trace", "events.jsonl"),
  orchestration: path.join("orchestration", "events.jsonl"),
} as const;

export const MESSAGES = "messages.jsonl";

export function tenantsFolder(dataDir: string): string {
  return path.join(dataDir, "tenants");
}

export function sessionsFolder(dataDir: string, tenantId: string): string {
  return path.join(tenantsFolder(dataDir), tenantId, "sessions");
}

/** The ids were checked at their origin: each is a single folder name. */
export function sessionFiles(dataDir: string, tenantId: string, sessionId: string): SessionFiles {
  return filesIn(path.join(sessionsFolder(dataDir, tenantId), sessionId));
}

export function filesIn(folder: string): SessionFiles {
  const file = (...names: readonly string[]) => [folder, ...names].join(path.sep);
  return {
    folder,
    session: file(LISTED_FILES.session),
    messages: file(MESSAGES),
    compactions: file("messages.compactions"),
    trace: file(LISTED_FILES.trace),
    orchestration: file(LISTED_FILES.orchestration),
    checkpoint: file("orchestration", "checkpoint.json"),
  };
}

export function nameInSession(
  { folder, ...files }: SessionFiles,
  file: Exclude<keyof SessionFiles, "folder">,
): string[] {
  return files[file].slice(folder.length + path.sep.length).split(path.sep);
}
