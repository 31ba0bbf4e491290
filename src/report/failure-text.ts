/** What people are told when a request could not be done: what happened, and what they can do. */
import type { FailureWhy } from "../domain/request.ts";

type FailureText = { readonly what: string; readonly next: string };

const AGAIN = "Mention me again to retry.";
const OPERATOR = "The operator of this App has to mend it; mention me again afterwards.";

/** Typed over every reason: a new one without a text does not compile. */
const TEXTS: Readonly<Record<FailureWhy, FailureText>> = {
  "repository-empty": {
    what: "This repository has no commit yet, so there is nothing to read or change.",
    next: "Push a first commit, then mention me again.",
  },
  "repository-gone": {
    what: "I can no longer see this repository or this thread.",
    next: "Check that the App is still installed here, then mention me again.",
  },
  "repository-archived": {
    what: "This repository is archived, so nothing in it can change.",
    next: "Unarchive it first if a change is wanted.",
  },
  "github-forbidden": {
    what: "GitHub refuses what I need to do here: a permission of the App is missing.",
    next: "Accept the App's requested permissions in its installation settings, then mention me again.",
  },
  "github-refused": {
    what: "GitHub refused a request of mine.",
    next: `GitHub's words are below. ${AGAIN}`,
  },
  "permission-lost": {
    what: "Whoever asked for this may no longer write to this repository, so nothing was published.",
    next: "Someone who may can mention me.",
  },
  "github-unavailable": { what: "GitHub's API did not answer, several times over.", next: AGAIN },
  "model-overloaded": {
    what: "The model's provider is overloaded, and stayed so while I retried.",
    next: "Mention me again in some minutes.",
  },
  "model-unavailable": {
    what: "The model's provider could not be reached, several times over.",
    next: AGAIN,
  },
  "model-rejected-key": { what: "The model's provider refuses the key it was given.", next: OPERATOR },
  "model-rejected-request": {
    what: "The model's provider refuses the request; perhaps the thread is longer than the model can read.",
    next: "Try in a new, shorter issue. If that fails as well, the operator of this App has to look into it.",
  },
  "answer-turn-limit": {
    what: "I looked at the repository for as many steps as I may and did not come to an answer.",
    next: "A narrower question, with a file or a name in it, helps.",
  },
  "answer-empty": { what: "The model ended without saying anything.", next: AGAIN },
  "answer-cut-off": {
    what: "The answer grew longer than the model may write.",
    next: "Ask for less at once.",
  },
  "container-unavailable": {
    what: "No container could be started for the change.",
    next: `${AGAIN} If this App has no containers at all, its operator has to add them.`,
  },
  "container-lost": {
    what: "The container was lost while the agent worked, twice. Nothing was published.",
    next: AGAIN,
  },
  "checkout-failed": { what: "The repository could not be checked out in the container.", next: AGAIN },
  "agent-failed": { what: "The agent ended with an error. Nothing was published.", next: AGAIN },
  "agent-timed-out": {
    what: "The agent did not finish within its time. Nothing was published.",
    next: "A smaller task, or one with a pointer to where the problem is, helps.",
  },
  "agent-changed-nothing": {
    what: "The agent ended without changing a file, so there is nothing to propose.",
    next: "Its own words are below. More detail about what should change helps.",
  },
  "export-failed": { what: "The agent's files could not be taken out of the container.", next: AGAIN },
  "nothing-publishable": {
    what: "The agent changed only files that I may not publish.",
    next: "They are listed below. Make these changes by hand if they are wanted.",
  },
  "branch-taken": {
    what: "All the branch names I would use are taken.",
    next: "Delete old `patchwright/` branches, then mention me again.",
  },
  "pull-request-closed": {
    what: "The pull request for this request was closed by a person, so I leave it closed.",
    next: "Mention me again for a new one.",
  },
  "publish-refused": {
    what: "GitHub refused the branch or the pull request, perhaps because of a rule of this repository.",
    next: "GitHub's words are below.",
  },
  internal: {
    what: "Something in me broke. Nothing was published that is not linked here.",
    next: `${AGAIN} If it happens again, the log of this App says more.`,
  },
};

/** The two sentences of a failure. */
export function failureText(why: FailureWhy): FailureText {
  return TEXTS[why];
}
