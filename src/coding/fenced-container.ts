/**
 * A container that reaches nothing but Egress. Whoever starts it (ContainerHarness, the Verifier) gets the fence with
 * it: the Internet is off whatever was asked for, the hosts of this run are each bound to their own upstream, and all
 * other plain http goes to the entrypoint that refuses and records it.
 */

/** The Fetchers of one run: what each virtual host may reach, and who refuses the rest. */
export type Fence = {
  readonly hosts: Readonly<Record<string, Fetcher>>;
  readonly refuse: Fetcher;
};

/**
 * Wrap a container.
 * @param fence asked at each start, since upstreams belong to the request that runs now
 */
export function fenced(container: Container, fence: () => Fence): Container {
  return new Proxy(container, {
    get(target, property) {
      if (property === "start") {
        return (options: ContainerStartupOptions) => target.start({ ...options, enableInternet: false });
      }
      // The harness awaits this right after start() and before it talks to the container: the earliest moment at
      // which an interception can be set.
      if (property === "setInactivityTimeout") {
        return async (ms: number) => {
          await target.setInactivityTimeout(ms);
          await raise(target, fence());
        };
      }
      if (property === "interceptOutboundHttp") return nothing;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      const bound: unknown = value.bind(target);
      return bound;
    },
  });
}

/** Set the interceptions of one run on a started container. Setting them again replaces them. */
export async function raise(container: Container, fence: Fence): Promise<void> {
  for (const [host, upstream] of Object.entries(fence.hosts)) {
    await container.interceptOutboundHttp(host, upstream);
  }
  await container.interceptAllOutboundHttp(fence.refuse);
}

/** The harness's own routes carry credentials as props; ours are set by `raise` and carry ids. */
async function nothing(): Promise<void> {}
