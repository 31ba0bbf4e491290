/** The coding agents, as data. A further one is one more row here and one in container/daemon/agents.ts. */
import { MODEL_HOST } from "../domain/container-protocol.ts";

export type AgentName = "claude-code";

type AgentRow = {
  /** The daemon's adapter in the image. */
  readonly adapter: string;
  /** Environment of the container. Nothing here is secret, and nothing secret may be here. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that name a further model the command line would use by itself; all of them get the run's model. */
  readonly modelVariables: readonly string[];
};

/** What the command line sends instead of a key, so that it starts at all. Egress drops it. */
const PLACEHOLDER_KEY = "set-by-patchwright-egress";

export const AGENTS: Readonly<Record<AgentName, AgentRow>> = {
  "claude-code": {
    adapter: "claude-code",
    env: {
      ANTHROPIC_BASE_URL: `http://${MODEL_HOST}`,
      ANTHROPIC_API_KEY: PLACEHOLDER_KEY,
    },
    modelVariables: [
      "ANTHROPIC_DEFAULT_HAIKU_MODEL",
      "ANTHROPIC_SMALL_FAST_MODEL",
      "CLAUDE_CODE_SUBAGENT_MODEL",
    ],
  },
};
