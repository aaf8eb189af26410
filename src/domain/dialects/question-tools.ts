/**
 * Tools with which agents ask a person: a question, or the approval of a plan.
 *
 * - Claude Code (`AskUserQuestion`, `ExitPlanMode`): https://code.claude.com/docs/en/tools-reference
 * - Codex (`request_user_input`) and Copilot CLI (`ask_user`, `exit_plan_mode`): names in their recorded sessions
 * - Gemini CLI (`ask_user`, `enter_plan_mode`, `exit_plan_mode`): https://geminicli.com/docs/tools/planning
 * - Kimi CLI (`AskUserQuestion`, `ExitPlanMode`): names in its recorded sessions
 * - OpenCode (`question`): `packages/opencode/src/tool/question.ts` of its repository
 * - Qwen Code (`ask_user_question`, `exit_plan_mode`): `packages/core/src/tools/tool-names.ts` of its repository
 * - Droid (`AskUser`, `ExitSpecMode`): names in its list of tools
 * - Cline and Roo Code (`ask_followup_question`, `plan_mode_respond`): names in their system prompts
 */
const ASKING: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "ExitPlanMode",
  "ExitSpecMode",
  "request_user_input",
  "ask_user",
  "ask_user_question",
  "AskUser",
  "enter_plan_mode",
  "exit_plan_mode",
  "question",
  "ask_followup_question",
  "plan_mode_respond",
]);

/** True if a tool of this name asks a person, so that its duration is the person's time. */
export function asksPerson(toolName: string): boolean {
  return ASKING.has(toolName);
}
