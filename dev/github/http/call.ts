/** One request as a route sees it, and what a route answers. */
import type { z } from "zod";
import type { Actor, Author, Repository } from "../state/model.ts";
import type { Role } from "../state/roles.ts";
import type { World } from "../world.ts";
import { badCredentials, requiresAuthentication } from "./refusal.ts";
import { readBody } from "./validate.ts";

export type Reply = {
  readonly status: number;
  /** Answered as JSON. Undefined with no `raw` means: no body. */
  readonly json?: unknown;
  readonly raw?: { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };
  readonly headers?: Readonly<Record<string, string>>;
};

export class Call {
  readonly world: World;
  readonly actor: Actor;
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly #params: Readonly<Record<string, string>>;
  readonly #body: string;
  /** Milliseconds that a written object stays out of lists; 0 without a lag fault. */
  readonly #lagMs: number;
  made: { kind: string; id: number | string } | undefined;

  constructor(parts: {
    world: World;
    actor: Actor;
    url: URL;
    method: string;
    headers: Headers;
    params: Readonly<Record<string, string>>;
    body: string;
    lagMs: number;
  }) {
    this.world = parts.world;
    this.actor = parts.actor;
    this.url = parts.url;
    this.method = parts.method;
    this.headers = parts.headers;
    this.#params = parts.params;
    this.#body = parts.body;
    this.#lagMs = parts.lagMs;
  }

  /** A path parameter, decoded; "" when the route has none of that name. */
  param(name: string): string {
    return this.#params[name] ?? "";
  }

  /** A numeric path parameter; NaN finds nothing. */
  number(name: string): number {
    const digits = this.param(name);
    return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
  }

  query(name: string): string | undefined {
    const value = this.url.searchParams.get(name);
    return value === null || value === "" ? undefined : value;
  }

  /** The body, checked. Throws GitHub's 400 or 422. */
  body<S extends z.ZodType>(schema: S): z.output<S> {
    return readBody(this.#body, schema);
  }

  /** The last word of the media type asked for: `application/vnd.github.diff` gives "diff", JSON gives "json". */
  get format(): string {
    const accept = this.headers.get("accept") ?? "";
    return (
      /application\/vnd\.github(?:\.v3)?\.(raw|diff|patch|sha|html|object)\b/.exec(accept)?.[1] ?? "json"
    );
  }

  /** Who acts, or 401. App JWTs act on nothing but the App itself. */
  get author(): Author {
    switch (this.actor.kind) {
      case "user":
        return { account: this.actor.account, viaApp: false };
      case "installation":
        return { account: this.actor.account, viaApp: true };
      case "app":
        throw badCredentials();
      case "anonymous":
        throw requiresAuthentication();
    }
  }

  /** Names what this request wrote, for the audit and for lag faults. */
  wrote(kind: string, id: number | string, object?: object): void {
    this.made = { kind, id };
    if (object !== undefined && this.#lagMs > 0) {
      this.world.faults.hide(object, this.world.now() + this.#lagMs);
    }
  }

  /** Those of a list that are not hidden by a lag fault. */
  visible<T extends object>(items: readonly T[]): T[] {
    const now = this.world.now();
    return items.filter((item) => this.world.faults.isVisible(item, now));
  }
}

/** A call on one repository that the caller may see. */
export type RepoCall = Call & { readonly repo: Repository; readonly role: Role };

export function ok(json: unknown, headers?: Readonly<Record<string, string>>): Reply {
  return headers === undefined ? { status: 200, json } : { status: 200, json, headers };
}

/** 201, with a Location when the thing has its own url. */
export function created(json: unknown): Reply {
  const url = typeof json === "object" && json !== null && "url" in json ? json.url : undefined;
  return typeof url === "string" ? { status: 201, json, headers: { Location: url } } : { status: 201, json };
}

export function noContent(): Reply {
  return { status: 204 };
}

export function text(type: string, body: string): Reply {
  return { status: 200, raw: { type: `${type}; charset=utf-8`, body } };
}
