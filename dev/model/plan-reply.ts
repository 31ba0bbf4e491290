/**
 * Decides one turn: the scenario first, else the first directive not obeyed yet, else a short last text.
 * It owns the order and the count of failures; everything else it works out from the request alone.
 */
import { createHash } from "node:crypto";
import { standingOf } from "./directive-calls.ts";
import { findDirectives, type Directive } from "./directives.ts";
import { tagOf } from "./ids.ts";
import { sampleOf } from "./json-sample.ts";
import type { Content, Failure, Plan, Reply } from "./reply.ts";
import { givenTexts, saidTexts, type Turn } from "./turn.ts";

/** Undefined lets the directives decide. */
export type Scenario = (turn: Turn) => Reply | undefined;

/** What the model says when nothing is left to do. */
const LAST_TEXT = "Done.";

/** What it says to a text that it has no part for, so that nobody takes it for a model that did not understand. */
const NO_PART = [
  "I am the local scripted model: I play the two issues of the demo and understand nothing else.",
  "A line such as `%% say: Hello` in the text makes me say that; dev/model/directives.ts lists what else I obey.",
  "For a real model, start the local world with ANTHROPIC_API_KEY set.",
].join("\n");

/** The only memory between requests: how often each `%% fail` has failed, by conversation. */
type FailCounts = Map<string, number>;

export function planReply(turn: Turn, scenario: Scenario | undefined, counts: FailCounts): Plan {
  if (isSideRequest(turn)) return whole({ say: LAST_TEXT }, turn);
  const played = scenario?.(turn);
  return played === undefined ? planByDirectives(turn, counts) : planByScenario(played, turn);
}

/**
 * Claude Code asks small questions beside the conversation (a title, a quota probe of one token, a command's
 * prefix), which offer no tools. They get a harmless text and no directive is spent on them.
 */
function isSideRequest(turn: Turn): boolean {
  return turn.client === "claude-code" && (turn.tools.length === 0 || turn.maxTokens === 1);
}

function planByScenario(reply: Reply, turn: Turn): Plan {
  if ("fail" in reply) return failing(reply.fail, { say: LAST_TEXT }, turn);
  if (!("call" in reply)) return whole(reply, turn);
  const { say, call } = reply;
  return whole(
    { ...(say === undefined ? {} : { say }), call: { ...call, tag: tagOf(JSON.stringify(call)) } },
    turn,
  );
}

function planByDirectives(turn: Turn, counts: FailCounts): Plan {
  const said = new Set(saidTexts(turn).map((text) => text.trim()));
  let waitMs = 0;
  let failure: Failure | undefined;
  const finish = (content: Content): Plan => ({
    ...(failure === undefined ? whole(content, turn) : failing(failure, content, turn)),
    waitMs,
  });

  const directives = findDirectives(turn);
  if (directives.length === 0) return finish({ say: NO_PART });
  for (const directive of directives) {
    if (directive.verb === "wait") {
      waitMs += directive.ms;
    } else if (directive.verb === "fail") {
      if (failure !== undefined) continue;
      if (!spendFailure(directive, turn, counts)) {
        waitMs = 0;
        continue;
      }
      failure = directive.failure;
      if (failure.kind === "status") return finish({});
    } else if (directive.verb === "say") {
      if (!said.has(directive.text.trim())) return finish({ say: directive.text });
      waitMs = 0;
    } else {
      const standing = standingOf(directive, turn);
      if (standing.kind === "due") return finish({ call: { ...standing.call, tag: directive.tag } });
      if (standing.kind === "obeyed") waitMs = 0;
    }
  }
  return finish({ say: LAST_TEXT });
}

/** True while this `%% fail` has to fail once more in this conversation, and counts it. */
function spendFailure(directive: Directive & { verb: "fail" }, turn: Turn, counts: FailCounts): boolean {
  const key = `${conversationOf(turn)}:${directive.tag}`;
  const spent = counts.get(key) ?? 0;
  if (spent >= directive.times) return false;
  counts.set(key, spent + 1);
  return true;
}

/**
 * A conversation is told by the session the client names, else by its opening. Text only, as a client moves its
 * cache marks and turns a block into a string between two requests of one conversation.
 */
function conversationOf(turn: Turn): string {
  if (turn.session !== undefined) return turn.session;
  const reply = turn.messages.findIndex((message) => message.role === "assistant");
  const opening = reply === -1 ? turn.messages : turn.messages.slice(0, reply);
  const texts = [...turn.tools, ...givenTexts({ system: "", messages: opening })];
  return createHash("sha256").update(JSON.stringify(texts)).digest("base64url");
}

function whole(content: Content, turn: Turn): Plan {
  return {
    waitMs: 0,
    outcome: { kind: "content", content: shaped(content, turn), silenceMs: 0, breakage: undefined },
  };
}

function failing(failure: Failure, content: Content, turn: Turn): Plan {
  if (failure.kind === "status") return { waitMs: 0, outcome: { kind: "status", status: failure.status } };
  const silenceMs = failure.kind === "silence" ? failure.seconds * 1000 : 0;
  const breakage = failure.kind === "silence" ? undefined : failure.kind;
  return { waitMs: 0, outcome: { kind: "content", content: shaped(content, turn), silenceMs, breakage } };
}

/** A text where the request demands a call, or JSON, is put into the shape it demands. */
function shaped(content: Content, turn: Turn): Content {
  if (content.call !== undefined || content.say === undefined) return content;
  const forced = turn.offered.find((tool) => tool.name === turn.forcedTool);
  if (forced !== undefined) {
    return {
      call: { tool: forced.name, input: sampleOf(forced.schema, content.say), tag: tagOf(content.say) },
    };
  }
  return turn.answerSchema === undefined || isJson(content.say)
    ? content
    : { say: JSON.stringify(sampleOf(turn.answerSchema, content.say)) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
