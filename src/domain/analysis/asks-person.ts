/**
 * The tools by which agents ask a person: a question, or whether a plan is good.
 *
 * - Claude Code (`AskUserQuestion`, `ExitPlanMode`): https://code.claude.com/docs/en/tools-reference
 * - Codex (`request_user_input`) and Copilot CLI (`ask_user`, `exit_plan_mode`): as their recorded sessions name them
 * - Gemini CLI (`enter_plan_mode`, `exit_plan_mode`): https://geminicli.com/docs/tools/planning
 * - OpenCode (`question`): `packages/opencode/src/tool/question.ts` of its repository
 * - Cline and Roo Code (`ask_followup_question`): as their system prompts name it
 */
const ASKING: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "ExitPlanMode",
  "request_user_input",
  "ask_user",
  "enter_plan_mode",
  "exit_plan_mode",
  "question",
  "ask_followup_question",
]);

/** Whether a tool of this name asks a person, so that its time is theirs. */
export function asksPerson(name: string): boolean {
  return ASKING.has(name);
}
