/** Reactions, one by one and summed up. */
import { nodeId } from "../state/ids.ts";
import { REACTIONS } from "../state/model.ts";
import type { Reaction } from "../state/model.ts";
import type { World } from "../world.ts";
import { iso } from "./time.ts";
import { userShape } from "./user.ts";

export function reactionShape(world: World, reaction: Reaction) {
  return {
    id: reaction.id,
    node_id: nodeId("Reaction", reaction.id),
    user: userShape(world, reaction.user),
    content: reaction.content,
    created_at: iso(reaction.createdAt),
  };
}

/** `reaction-rollup`; `url` is the thing reacted to. */
export function rollup(url: string, reactions: readonly Reaction[]): Record<string, number | string> {
  const counts: Record<string, number> = {};
  for (const content of REACTIONS) counts[content] = reactions.filter((r) => r.content === content).length;
  return { url: `${url}/reactions`, total_count: reactions.length, ...counts };
}
