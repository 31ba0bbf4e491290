/**
 * When a CLI cannot resume. It names its conversation in the first line it prints, but its file reaches the Durable
 * Object only every few seconds: a container lost in between leaves a name without a conversation, and with it every
 * later turn of the session would fail. Such a name is given up, and the turn is run again from a new conversation.
 */
import type { CliAdapterOptions } from "agents/harness/container/runtime";

export type FreshStart = {
  readonly cli: CliAdapterOptions;
  /** Whether an outcome says that the conversation is gone. True once per name: the next command starts anew. */
  readonly isLost: (outcome: { readonly status: string; readonly reason?: string }) => boolean;
};

/** Wrap a CLI. `pattern` finds the lost conversation's name, as its first group, in the reason of an outcome. */
export function withFreshStart(cli: CliAdapterOptions, pattern: RegExp): FreshStart {
  const lost = new Set<string>();
  return {
    cli: {
      ...cli,
      command: (turn) =>
        cli.command(Object.values(turn.state).some((name) => lost.has(name)) ? { ...turn, state: {} } : turn),
    },
    isLost(outcome) {
      const name = pattern.exec(outcome.reason ?? "")?.[1];
      if (name === undefined || lost.has(name)) return false;
      lost.add(name);
      return true;
    },
  };
}
