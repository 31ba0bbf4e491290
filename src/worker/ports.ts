/** The world as a request sees it: each port of task/ made of the rooms that do it. */
import type { Coder, Fence } from "../coding/index.ts";
import { runProgram } from "../answer/program.ts";
import { GIT_HOST, MODEL_HOST } from "../domain/container-protocol.ts";
import type { TaskRequest } from "../domain/request.ts";
import { CodeWriter, RepositoryReader, ThreadWriter, type RepositoryScope } from "../github/index.ts";
import { fail } from "../lib/result.ts";
import { askModel } from "../model/anthropic.ts";
import type { CoderPort, Ports } from "../task/ports.ts";
import type { TaskStore } from "../task/store.ts";
import type { EgressProps } from "./egress.ts";
import type { Env } from "./env.ts";
import type { Settings } from "./settings.ts";
import { taskName } from "./task-name.ts";

type Exports = DurableObjectState["exports"];

export function taskPorts(
  env: Env,
  exports: Exports,
  settings: Settings,
  request: TaskRequest,
  coder: Coder | undefined,
  store: TaskStore,
): Ports {
  const scope = scopeOf(request);
  return {
    read: new RepositoryReader(settings.app, scope),
    thread: new ThreadWriter(settings.app, scope),
    code: new CodeWriter(settings.app, scope),
    model: { turn: (turn) => askModel(settings.answerModel, turn) },
    program: {
      run: (code, { commit, tree, asOf, thread }) => {
        const { title, body } = request.event.thread;
        const props = { ...scope, commit, tree, asOf, thread, signed: { title, body } };
        return runProgram(env.LOADER, code, exports.RepoMethods({ props }));
      },
    },
    coder: coderPort(coder, request, store),
    verifier: {
      verify: (run, order) => {
        const task = taskName(settings.host, request.event);
        const scoped = { ...scope, task, request: run, fullName: order.fullName };
        return env.VERIFIER.getByName(`${task}:${run}`).verify(order, scoped);
      },
    },
  };
}

/** The fence of the coding container: the model and one repository, for the request that runs now. */
export function coderFence(exports: Exports, task: string, store: TaskStore): Fence {
  const request = store.current();
  const upstream = (name: EgressProps["upstream"]) => {
    const scope = request === undefined ? { installation: 0, repositoryId: 0 } : scopeOf(request);
    const fullName = request === undefined ? "" : (store.getValue<string>(request.id, "repository") ?? "");
    return exports.Egress({
      props: { ...scope, upstream: name, task, request: request?.id ?? "", fullName },
    });
  };
  // Without a request there is nothing a container may reach.
  const hosts = request === undefined ? {} : { [MODEL_HOST]: upstream("model"), [GIT_HOST]: upstream("git") };
  return { hosts, refuse: upstream("refuse") };
}

function coderPort(coder: Coder | undefined, request: TaskRequest, store: TaskStore): CoderPort {
  if (coder === undefined) return NO_CODER;
  return {
    available: true,
    submit: async (operation, order) => {
      store.putValue(request.id, "repository", order.fullName);
      if (store.getValue<string>(request.id, "conversation") !== operation) {
        await coder.forget();
        store.putValue(request.id, "conversation", operation);
      }
      await coder.submit(operation, order.commit, order.prompt);
    },
    wait: (operation, ms) => coder.wait(operation, ms),
    export: () => coder.export(),
    stop: () => coder.stop(),
  };
}

/** A Worker without containers still answers; it is asked `available` before anything else. */
const NO_CODER: CoderPort = {
  available: false,
  submit: () => Promise.reject(new Error("there is no container")),
  wait: () => Promise.resolve({ state: "failed", reason: "container_unavailable" }),
  export: () => Promise.resolve(fail({ why: "container-lost", detail: "there is none" })),
  stop: () => Promise.resolve(),
};

function scopeOf(request: TaskRequest): RepositoryScope {
  return { installation: request.event.installation, repositoryId: request.event.repository.id };
}
