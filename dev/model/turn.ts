/**
 * One request to the model, whichever provider's words it came in: what a scenario and the directives look at.
 * It owns the shape and what follows from it; reading the providers' requests is the two protocol files' work.
 */

/** A tool call that an assistant message holds. `input` is what the client sent back, so treat it as outside text. */
type ToolCall = {
  readonly kind: "call";
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
};
type TextPart = { readonly kind: "text"; readonly text: string };
type ResultPart = {
  readonly kind: "result";
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
};
export type Part = TextPart | ToolCall | ResultPart;

export type TurnMessage = { readonly role: "system" | "user" | "assistant"; readonly parts: readonly Part[] };

/** A call together with what the client answered to it. */
export type ToolResult = {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
};

export type OfferedTool = { readonly name: string; readonly schema: unknown };

/** What the two protocol readers hand over. */
export type TurnSource = {
  readonly provider: "anthropic" | "openai";
  /** Told from the user agent; only the clients whose habits matter here have a name. */
  readonly client: "claude-code" | "codex" | "other";
  readonly model: string;
  /** The client's own name for the session, when it sends one. */
  readonly session: string | undefined;
  readonly system: string;
  readonly messages: readonly TurnMessage[];
  readonly offered: readonly OfferedTool[];
  readonly maxTokens: number | undefined;
  /** Set when the request does not leave the model the choice to answer in text. */
  readonly forcedTool: string | undefined;
  /** Set when the request wants its text as JSON of this schema. */
  readonly answerSchema: unknown;
};

export type Turn = TurnSource & {
  /** Names of the tools this request offers. */
  readonly tools: readonly string[];
  /** Every call so far that has been answered, oldest first. */
  readonly calls: readonly ToolResult[];
  /** The answers to the last assistant message's calls; empty when a person spoke last. */
  readonly lastToolResults: readonly ToolResult[];
  /** Where the coding agent works, as it told the model. */
  readonly cwd?: string;
  /** All the text the model was given: system, people, tool results. Never its own. */
  readonly text: string;
};

export function makeTurn(source: TurnSource): Turn {
  const calls = pairCalls(source.messages);
  const lastAssistant = source.messages.findLastIndex((message) => message.role === "assistant");
  const fresh = new Set(resultsAfter(source.messages, lastAssistant).map((result) => result.id));
  const text = givenTexts(source).join("\n");
  const cwd = findCwd(text);
  return {
    ...source,
    tools: source.offered.map((tool) => tool.name),
    calls,
    lastToolResults: calls.filter((call) => fresh.has(call.id)),
    ...(cwd === undefined ? {} : { cwd }),
    text,
  };
}

/** The texts the model was given, in order: the system text, then each part that is not the model's own. */
export function givenTexts(source: Pick<TurnSource, "system" | "messages">): string[] {
  const texts = source.system === "" ? [] : [source.system];
  for (const message of source.messages) {
    if (message.role === "assistant") continue;
    for (const part of message.parts) if (part.kind !== "call") texts.push(part.text);
  }
  return texts;
}

/** What the model itself said so far, one string per text part. */
export function saidTexts(turn: Pick<TurnSource, "messages">): string[] {
  return turn.messages
    .filter((message) => message.role === "assistant")
    .flatMap((message) => message.parts)
    .flatMap((part) => (part.kind === "text" ? [part.text] : []));
}

/** The calls made since a person last spoke: a follow-up in the same session starts from none. */
export function callsSincePrompt(turn: Turn): readonly ToolResult[] {
  const lastPlain = turn.messages.findLastIndex(
    (message) => message.role === "assistant" && message.parts.every((part) => part.kind === "text"),
  );
  const recent = new Set(resultsAfter(turn.messages, lastPlain).map((result) => result.id));
  return turn.calls.filter((call) => recent.has(call.id));
}

function resultsAfter(messages: readonly TurnMessage[], index: number): ResultPart[] {
  return messages
    .slice(index + 1)
    .flatMap((message) => message.parts)
    .flatMap((part) => (part.kind === "result" ? [part] : []));
}

function pairCalls(messages: readonly TurnMessage[]): ToolResult[] {
  const open = new Map<string, ToolCall>();
  const paired: ToolResult[] = [];
  for (const part of messages.flatMap((message) => message.parts)) {
    if (part.kind === "call") open.set(part.id, part);
    if (part.kind !== "result") continue;
    const call = open.get(part.id);
    if (call === undefined) continue;
    paired.push({ id: part.id, tool: call.tool, input: call.input, text: part.text, isError: part.isError });
  }
  return paired;
}

/**
 * Claude Code 2.1.332 writes " - Primary working directory: /path" into its first user message, or "CWD: /path"
 * into the system text under --bare; Codex 0.171.0 writes "<cwd>/path</cwd>" into a user message of its own.
 */
function findCwd(text: string): string | undefined {
  const found = /(?:Primary working directory: |^CWD: |<cwd>)(\/[^\n<]*)/m.exec(text);
  return found?.[1]?.trim();
}
