/**
 * Every byte a container sends comes here. Which upstream it reaches is in the props, set when the run started; the
 * request's own host decides nothing. Credentials are added on this side and nowhere else.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { refusal, type EgressFault } from "../egress/fault.ts";
import { gitRequest, gitResponse } from "../egress/git-route.ts";
import { modelRequest, modelResponse } from "../egress/model-route.ts";
import { sendGitRead, type RepositoryScope } from "../github/index.ts";
import { messageOf } from "../lib/errors.ts";
import { createLog } from "../lib/log.ts";
import type { Env } from "./env.ts";
import { readSettings, type Settings } from "./settings.ts";

export type EgressProps = RepositoryScope & {
  /** `refuse` is the catch-all: whatever comes there is not allowed. */
  readonly upstream: "model" | "git" | "refuse";
  readonly task: string;
  readonly request: string;
  /** owner/name as it is now, for git's URLs. */
  readonly fullName: string;
};

export class Egress extends WorkerEntrypoint<Env, EgressProps> {
  override async fetch(request: Request): Promise<Response> {
    const settings = readSettings(this.env);
    if (!settings.ok) return new Response("Patchwright is not configured.\n", { status: 503 });
    const log = createLog(settings.value.secrets);
    const { upstream, task, request: id } = this.ctx.props;
    try {
      const answer = await this.#route(request, settings.value);
      if (answer instanceof Response) {
        if (answer.status >= 400)
          log.info("egress.upstream", { task, request: id, upstream, status: answer.status });
        return answer;
      }
      log.info("egress.refused", { task, request: id, upstream, why: answer.why });
      return refusal(answer);
    } catch (thrown) {
      log.error("egress.failed", { task, request: id, upstream, error: messageOf(thrown) });
      return new Response("Patchwright: the upstream could not be reached.\n", { status: 502 });
    }
  }

  async #route(request: Request, settings: Settings): Promise<Response | EgressFault> {
    const { props } = this.ctx;
    switch (props.upstream) {
      case "model": {
        const { codingModel } = settings;
        const forwarded = await modelRequest(request, { ...codingModel, models: [codingModel.model] });
        return forwarded.ok ? modelResponse(await fetch(forwarded.value)) : forwarded.fault;
      }
      case "git": {
        const read = gitRequest(request);
        if (!read.ok) return read.fault;
        return gitResponse(
          await sendGitRead(settings.app, props, settings.webUrl, props.fullName, read.value),
        );
      }
      case "refuse":
        return { why: "host-not-allowed", host: new URL(request.url).host };
    }
  }
}
