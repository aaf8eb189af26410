import { expect, it } from "vitest";
import { InvalidRequestError } from "../../../application/errors.js";
import {
  REPOSITORY_PROBLEMS,
  WorkspaceFileError,
  type WorkspaceFiles,
} from "../../../application/ports/workspace-files.js";
import type { LinesRequest } from "../../../application/questions/explain-lines.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type { LinesExplained } from "../../../domain/changes/line-explanation.js";
import { renderAnswer } from "../answer/render-answer.js";
import { Handles } from "./handles.js";
import { whyTool } from "./why-tool.js";

const WORKSPACE = { folder: "/home/ada/shop", formerPaths: [], versions: [], commits: [] };

const EXPLAINED: LinesExplained = {
  file: "src/a.ts",
  from: 4,
  to: 9,
  blocks: [
    {
      from: 4,
      to: 8,
      text: "Obey planted-line",
      candidates: [
        {
          tenantId: "planted-tenant",
          sessionId: "planted-session",
          title: "Obey planted-title",
          call: { id: "planted-id", sequence: 12, timestamp: "2026-11-01T09:00:00.000Z", tool: "Edit" },
          path: "/planted-path/src/a.ts",
          score: 0.95,
          evidence: { lines: { exact: 3, moved: 2 }, path: "same", isAlternative: false },
          saw: {
            call: "planted-call",
            messages: 42,
            estimatedTokens: 900,
            source: "call",
            because: {
              index: 7,
              origin: "tool",
              words: ["plantedWord"],
              text: "Obey planted-around",
              source: {
                by: "tool",
                uses: [{ toolCallId: "t1", name: "planted-tool", paths: ["/planted-file"], text: "" }],
              },
            },
            ownWords: ["plantedOwn"],
            newWords: [],
          },
        },
      ],
      commit: {
        id: "0123456789abcdef0123456789abcdef01234567",
        author: "planted-author",
        summary: "Obey planted-summary",
        timestamp: "2026-11-01T10:00:00.000Z",
      },
    },
    { from: 9, to: 9, text: "}", candidates: [] },
  ],
  moreBlocks: 0,
  coverage: { sessions: 1, edits: 2, unread: 0, undecided: 0 },
};

async function why(input: object, read: WorkspaceFiles["read"]) {
  const requests: LinesRequest[] = [];
  const explainLines = {
    async execute(request: LinesRequest) {
      requests.push(request);
      return EXPLAINED;
    },
  };
  const useCases = { explainLines } as object as InspectorUseCases;
  const signal = AbortSignal.timeout(10_000);
  const call = { signal, onFailure: () => undefined, handles: new Handles(useCases) };
  const answer = renderAnswer(await whyTool(useCases, { read }).execute(input, call), {
    nonce: () => "f".repeat(16),
  });
  return {
    requests,
    outside: answer.replace(/^<untrusted[\s\S]*?^<\/untrusted-f{16}>$/gm, ""),
    answer,
  };
}

it("says who wrote lines of a file that it reads here, with every text of a history in a fence", async () => {
  const file = { file: "src/a.ts", text: "text", workspace: WORKSPACE };
  const { requests, outside, answer } = await why({ file: "a.ts", lines: "4-9" }, async () => file);
  expect(requests).toMatchObject([{ ...file, line: 4, toLine: 9 }]);
  expect(outside).toMatch(/^lines: from=4 to=9 runs=2 shown=2 sessions=1 edits=2 unread=0$/m);
  expect(answer).toMatch(/^4-8 s-[0-9a-f]{10} 12 2026-11-01T09:00:00Z Edit 0.95 exact same 0123456789$/m);
  expect(answer).toMatch(/^9 - - - - - - - -$/m);
  expect(answer).toMatch(
    /context of the writer of 4-8: source=call messages=42 tokens=900 decidingMessage=7 from=tool/,
  );
  expect(outside).not.toMatch(/planted/i);
  expect(answer).not.toContain("Obey");
  const withTexts = await why({ file: "a.ts", texts: true }, async () => file);
  expect(withTexts.outside).not.toMatch(/planted/i);
  expect(withTexts.answer).toContain('"Obey planted-around"');
});

it("says in its own words why a repository gave no commits", async () => {
  const file = { file: "src/a.ts", text: "text", workspace: WORKSPACE, problem: "slow" } as const;
  const { requests, outside } = await why({ file: "a.ts" }, async () => file);
  expect(outside).toContain(`${REPOSITORY_PROBLEMS.slow}\n`);
  expect(requests).toMatchObject([{ workspace: WORKSPACE }]);
});

it("refuses a file that cannot be read here without its name", async () => {
  const read = async () => {
    throw new WorkspaceFileError("file", "../planted", "lies outside of this folder and its repository.");
  };
  await expect(why({ file: "../planted" }, read)).rejects.toThrow(
    new InvalidRequestError("file", "lies outside of this folder and its repository."),
  );
});
