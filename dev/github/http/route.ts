/** Routes as data: what they match, who may call them, and what they do. */
import type { Rule } from "./access.ts";
import type { Call, Reply, RepoCall } from "./call.ts";

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export type PlainRoute = {
  readonly method: Method;
  /** Below /api/v3, in hono's pattern words. */
  readonly path: string;
  /** `app` asks for a JWT, `installation` for its token, `signed-in` for anyone but anonymous. */
  readonly who: "anyone" | "app" | "installation" | "signed-in";
  readonly run: (call: Call) => Reply | Promise<Reply>;
};

/** Below /repos/{owner}/{repo}, and below /repositories/{id} as well. */
export type RepoRoute = {
  readonly method: Method;
  readonly path: string;
  readonly rule: Rule;
  readonly run: (call: RepoCall) => Reply | Promise<Reply>;
};

export function plain(
  method: Method,
  path: string,
  who: PlainRoute["who"],
  run: PlainRoute["run"],
): PlainRoute {
  return { method, path, who, run };
}

/** A route that reads with `permission`, or writes when `role` is above read or the method is not GET. */
export function inRepo(method: Method, path: string, rule: Rule, run: RepoRoute["run"]): RepoRoute {
  return { method, path, rule, run };
}
