/**
 * Calls to one repository, by its numeric id, each answer looked at through a zod window. GitHub answers
 * /repositories/{id}/… whatever the repository is called today, so a rename in the middle of a run changes nothing,
 * and no POST is turned into a GET by the 301 of an old name.
 */
import type { Octokit } from "octokit";
import type { z } from "zod";
import { call, clientFor } from "./client.ts";
import { GitHubError } from "../domain/github-fault.ts";
import type { AppCredentials, Purpose } from "./tokens.ts";

export type RepositoryScope = { readonly installation: number; readonly repositoryId: number };

type Params = Readonly<Record<string, unknown>>;

export class Requester {
  readonly #octokit: Octokit;
  readonly #id: number;

  constructor(app: AppCredentials, scope: RepositoryScope, purpose: Purpose) {
    this.#octokit = clientFor(app, { ...scope, purpose });
    this.#id = scope.repositoryId;
  }

  /**
   * @param route such as `GET /issues/{number}`, below the repository
   * @throws GitHubError
   */
  async json<S extends z.ZodType>(route: string, params: Params, window: S): Promise<z.output<S>> {
    const parsed = window.safeParse(await this.#send(route, params));
    if (parsed.success) return parsed.data;
    const path = parsed.error.issues[0]?.path.map(String).join(".");
    throw new GitHubError({
      why: "unavailable",
      status: 200,
      detail: `unexpected answer to ${route} at ${path}`,
    });
  }

  /** The answer's body as text: diffs and raw files. */
  async text(route: string, params: Params, accept: string): Promise<string> {
    const data = await this.#send(route, { ...params, headers: { accept } });
    if (typeof data === "string") return data;
    if (data instanceof ArrayBuffer) return new TextDecoder().decode(data);
    throw new GitHubError({ why: "unavailable", status: 200, detail: `unexpected answer to ${route}` });
  }

  /** The answer's body, unread. The caller reads it to its end or cancels it. */
  async stream(route: string, params: Params): Promise<ReadableStream<Uint8Array>> {
    const data = await this.#send(route, { ...params, request: { parseSuccessResponseBody: false } });
    if (data instanceof ReadableStream) return data;
    throw new GitHubError({ why: "unavailable", status: 200, detail: `${route} had no body` });
  }

  /** A call whose answer is not looked at. */
  async done(route: string, params: Params): Promise<void> {
    await this.#send(route, params);
  }

  async #send(route: string, params: Params): Promise<unknown> {
    const [method, path] = route.split(" ", 2);
    return call(async () => {
      const response = await this.#octokit.request(`${method} /repositories/{repository_id}${path}`, {
        ...params,
        repository_id: this.#id,
      });
      const data: unknown = response.data;
      return data;
    });
  }
}

/** The value, or undefined where GitHub says there is none. */
export async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof GitHubError && thrown.fault.why === "gone") return undefined;
    throw thrown;
  }
}
