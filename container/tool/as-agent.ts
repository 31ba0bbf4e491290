/**
 * Touching the workspace with no more rights than the agent has. Whatever trick the agent plays with links, the
 * most that our own code can then be led to read or write is what the agent could have read or written itself.
 */
import type { Places } from "./places.ts";

/**
 * Run `work` with the agent's effective user and groups, then take our own back. `work` must be synchronous: the
 * effective user belongs to the whole process. Without `places.agent` it simply runs.
 */
export function asAgent<T>(places: Places, work: () => T): T {
  const { agent } = places;
  const { setgroups, setegid, seteuid, getgroups, getegid, geteuid } = process;
  if (agent === undefined) return work();
  if (!setgroups || !setegid || !seteuid || !getgroups || !getegid || !geteuid) {
    throw new Error("this system cannot change the effective user");
  }
  const own = { groups: getgroups(), gid: getegid(), uid: geteuid() };
  // Groups first: once the user is changed, the right to change them is gone.
  setgroups([agent.gid]);
  setegid(agent.gid);
  seteuid(agent.uid);
  try {
    return work();
  } finally {
    seteuid(own.uid);
    setegid(own.gid);
    setgroups(own.groups);
  }
}
