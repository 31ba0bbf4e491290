/** Talking to the local engine (dev/engine/host.ts) from workerd: one container's calls, each with the engine's secret. */

export type EngineAddress = {
  /** Where the engine listens. */
  readonly engineUrl: string;
  /** Shared with the engine, for calls in both directions. */
  readonly secret: string;
  /** The container's name there: letters, digits, "-" and "_". */
  readonly id: string;
};

/** What the engine says of a container. */
export type EngineStatus = {
  readonly running: boolean;
  readonly exitCode: number | null;
  readonly labels: Record<string, string>;
  readonly image: string;
};

export class EngineClient {
  readonly #address: EngineAddress;

  constructor(address: EngineAddress) {
    this.#address = address;
  }

  /** The address of one of this container's calls. */
  url(call: string): string {
    return `${this.#address.engineUrl}/containers/${this.#address.id}${call}`;
  }

  get authorization(): string {
    return `Bearer ${this.#address.secret}`;
  }

  /** Make a call. Throws an Error with the engine's words when it refuses. */
  async call(method: string, call: string, body?: unknown): Promise<Response> {
    const response = await fetch(this.url(call), {
      method,
      headers: { authorization: this.authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new Error(`local engine: ${call || method}: ${response.status} ${await response.text()}`);
  }

  async status(method: "GET" | "DELETE", call = ""): Promise<EngineStatus> {
    const response = await this.call(method, call);
    return response.json<EngineStatus>();
  }
}
