/** Answering: the model looks at the repository through programs, and ends with an answer or with a proposal. */
import { converse, type AnswerFault } from "../answer/loop.ts";
import { describeMethods } from "../answer/describe.ts";
import { TOOLS } from "../answer/tools.ts";
import type { ThreadText } from "../domain/github.ts";
import type { RequestEnd } from "../domain/request.ts";
import type { Result } from "../lib/result.ts";
import { isTransient, type ModelFault } from "../model/fault.ts";
import { fillPrompt, quoteOutside } from "../model/prompts.ts";
import { changeRequest } from "./change-request.ts";
import type { ModelTurn, TurnRequest } from "../model/anthropic.ts";
import { failed, failedBy, fromMaintainers, fullName, type Failed, type Pinned, type Run } from "./run.ts";

/** Output tokens of one turn. */
const MAX_TOKENS = 8_000;

/** Times a turn is asked for when the provider is away. From 2 s on, doubled each time: two minutes in all. */
const MODEL_TRIES = 7;

export async function answerRequest(
  run: Run,
  pinned: Pinned,
): Promise<Exclude<RequestEnd, { state: "refused" }>> {
  const { journal, ports, request } = run;
  const { thread, said } = request.event;
  const text = await journal.github("thread", async () => {
    // Title and text are in the signed payload; the journal has no room for them as well.
    return { ...(await ports.read.thread(thread.number, said.at)), body: "" };
  });
  if (!text.ok) return failedBy(text.fault);
  const system = systemPrompt(run, pinned);
  const pin = { ...pinned.head, asOf: said.at, thread: thread.number };
  const ended = await converse(opening(run, text.value), {
    turn: (n, messages) => patientTurn(run, n, { system, messages, tools: TOOLS, maxTokens: MAX_TOKENS }),
    run: (id, code) => journal.do(`program:${id}`, () => ports.program.run(code, pin)),
  });
  if (!ended.end.ok) return answerFailed(ended.end.fault);
  const { value } = ended.end;
  if (value.kind === "answer") return { state: "answered", text: value.text, looked: ended.looked };
  return changeRequest(run, pinned, value.proposal);
}

/** One turn, tried again while the provider is away. The waits are asleep, not in memory. */
async function patientTurn(
  run: Run,
  n: number,
  request: Omit<TurnRequest, "signal">,
): Promise<Result<ModelTurn, ModelFault>> {
  for (let attempt = 1; ; attempt++) {
    const name = `turn:${n}.${attempt}`;
    const turn = await run.journal.do(name, ({ signal }) => run.ports.model.turn({ ...request, signal }));
    if (turn.ok || !isTransient(turn.fault) || attempt >= MODEL_TRIES) return turn;
    await run.journal.backOff(`${name}:wait`, attempt);
  }
}

function systemPrompt(run: Run, pinned: Pinned): string {
  const { head } = pinned;
  const { thread } = run.request.event;
  return fillPrompt("answer", {
    where: `${thread.onPullRequest ? "pull request" : "issue"} #${thread.number}`,
    repository: fullName(pinned),
    commit: head.commit,
    branch: head.branch,
    methods: describeMethods(),
    instructions: fromMaintainers(pinned),
  });
}

/** The thread as data, then what was asked, word for word as signed. */
function opening(run: Run, thread: ThreadText): string {
  const { said, sender, thread: signed } = run.request.event;
  const issue = quoteOutside("thread", `opened by ${thread.author}`, `# ${signed.title}\n\n${signed.body}`);
  const comments = thread.comments.map((comment) => {
    return quoteOutside("comment", `${comment.author} at ${comment.at}`, comment.text);
  });
  const context = said.kind === "issue" ? comments : [issue, ...comments];
  return [...context, `${sender.login} asks:\n\n${run.request.instruction}`].join("\n\n");
}

function answerFailed(fault: AnswerFault): Failed {
  switch (fault.why) {
    case "model":
      return failed(`model-${fault.fault.why}`);
    case "turn-limit":
      return failed("answer-turn-limit");
    case "nothing-said":
      return failed("answer-empty");
    case "cut-off":
      return failed("answer-cut-off");
  }
}
