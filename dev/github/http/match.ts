/**
 * Paths to routes. Patterns: `:name` is one segment, `:name+` the rest with its slashes (refs and file paths),
 * `:name#` digits. The first route that matches wins.
 */

type Matched<R> = { readonly route: R; readonly params: Readonly<Record<string, string>> };

export class RouteTable<R extends { readonly method: string }> {
  readonly #routes: { readonly pattern: RegExp; readonly names: readonly string[]; readonly route: R }[] = [];

  add(path: string, route: R): void {
    const names: string[] = [];
    const source = path.replace(/:(\w+)([+#]?)/g, (_, name: string, kind: string) => {
      names.push(name);
      return kind === "+" ? "(.+)" : kind === "#" ? "(\\d+)" : "([^/]+)";
    });
    this.#routes.push({ pattern: new RegExp(`^${source}$`), names, route });
  }

  /** HEAD is answered by GET. undefined when no route has this path and method, or an escape is malformed. */
  find(method: string, path: string): Matched<R> | undefined {
    const asked = method === "HEAD" ? "GET" : method;
    for (const { pattern, names, route } of this.#routes) {
      if (route.method !== asked) continue;
      const match = pattern.exec(path);
      if (match === null) continue;
      try {
        const params: Record<string, string> = {};
        for (const [at, name] of names.entries()) params[name] = decodeURIComponent(match[at + 1] ?? "");
        return { route, params };
      } catch {
        return undefined;
      }
    }
    return undefined;
  }
}
