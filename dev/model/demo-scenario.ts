/**
 * What the model plays in the demo: a question that is answered and a bug that is fixed, on dev/demo-repository.
 * It knows how to look and how to mend, not what the files say: each step is made from what the last one returned,
 * and when that is not what it expected, it says so. Nothing here reads the repository itself.
 */
import type { Scenario } from "./plan-reply.ts";
import { fixBug, proposeFix } from "./demo-bug.ts";
import { answerQuestion } from "./demo-question.ts";

export type IssueText = { readonly title: string; readonly body: string };

export const DEMO_QUESTION: IssueText = {
  title: "What does slugify do with accented letters?",
  body: [
    "We want to use `slugify` for the URLs of our recipe pages, and half of the titles look like `Crème brûlée`.",
    "",
    "@patchwright what does it do with the accents, where in the code is that, and is there a test for it?",
  ].join("\n"),
};

export const DEMO_BUG: IssueText = {
  title: "truncate drops a whole word when the cut falls between two words",
  body: [
    '`truncate("one two three", 8)` gives me "one…". I expected "one two…": that is 8 characters, so it fits.',
    "",
    "It happens only when the room ends right where a word does. One test on main is red because of it.",
    "",
    "@patchwright can you fix it, please?",
  ].join("\n"),
};

/** Undefined for any other conversation, so that directives in other issues still work beside the demo. */
export const demoScenario: Scenario = (turn) => {
  const isAnswering = turn.tools.includes("run_code") && turn.tools.includes("propose_change");
  const isCoding = ["Bash", "exec_command", "exec"].some((tool) => turn.tools.includes(tool));
  if (turn.text.includes(DEMO_BUG.title)) {
    if (isCoding) return fixBug(turn);
    return isAnswering ? proposeFix(turn) : undefined;
  }
  return isAnswering && turn.text.includes(DEMO_QUESTION.title)
    ? answerQuestion(turn, DEMO_QUESTION)
    : undefined;
};
