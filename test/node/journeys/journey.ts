/** A world for a file of journeys: started before its first test, ended after its last, waits made short. */
import { afterAll, beforeAll } from "vitest";
import { finalComment, parts, personIn, type Person } from "../../../dev/world/person.ts";
import { startWorld, type World, type WorldOptions } from "../../../dev/world/start-world.ts";

/** Waits that take minutes in production take moments here; nothing else differs. */
const SHORT_WAITS = { RETRY_SECONDS: "0.02", READ_LAG_SECONDS: "0.2", WATCH_SECONDS: "1" };

export type Journey = {
  readonly world: World;
  readonly ada: Person;
  person(login: string): Person;
  /** A repository of its own for one test: `files` undefined makes an empty one. */
  repository(files?: Readonly<Record<string, string>> | "empty"): Promise<string>;
  /** Open an issue as ada and wait for the bot's last word. */
  ask(fullName: string, body: string, title?: string): Promise<{ issue: number; comment: string }>;
  final(fullName: string, issue: number, nth?: number): Promise<string>;
  /** How the requests of a thread ended, by the Task itself. */
  ends(fullName: string, issue: number): Promise<readonly { request: string; end: unknown }[]>;
  /** What the bot wrote to GitHub, as `METHOD path`. */
  writes(fullName: string): string[];
  /** Everything the bot said on a thread. */
  said(fullName: string, issue: number): Promise<string[]>;
  /** The text of a file on a branch. */
  show(fullName: string, branch: string, path: string): Promise<string>;
};

let count = 0;

export function journeys(options: WorldOptions = {}): () => Journey {
  let journey: Journey | undefined;
  beforeAll(async () => {
    journey = makeJourney(
      await startWorld({ ...options, settings: { ...SHORT_WAITS, ...options.settings } }),
    );
  });
  afterAll(async () => {
    await journey?.world.close();
  });
  return () => {
    if (journey === undefined) throw new Error("the world has not started");
    return journey;
  };
}

function makeJourney(world: World): Journey {
  const bot = `${world.app.slug}[bot]`;
  const ada = personIn(world, "ada");
  const ids = new Map<string, number>();
  const final = (fullName: string, issue: number, nth = 1) =>
    finalComment(world, ada, fullName, issue, { nth, seconds: 50 });
  return {
    world,
    ada,
    person: (login) => personIn(world, login),
    repository: async (files = { "README.md": "# A repository\n" }) => {
      const repository = await world.addRepository(`r${++count}`, files === "empty" ? undefined : files);
      ids.set(repository.fullName, repository.id);
      return repository.fullName;
    },
    ask: async (fullName, body, title = "Something") => {
      const issue = await ada.openIssue(fullName, { title, body });
      return { issue, comment: await final(fullName, issue) };
    },
    final,
    ends: (fullName, issue) =>
      world.worker.ends(`${new URL(world.github.url).host}:${ids.get(fullName)}:${issue}`),
    writes: (fullName) =>
      world.github.audit.entries
        .filter(({ actor, method, path }) => {
          const ours = actor.kind === "installation" && method !== "GET";
          return (
            ours &&
            (path.startsWith(`/repos/${fullName}/`) || path.startsWith(`/repositories/${ids.get(fullName)}/`))
          );
        })
        .map(
          ({ method, path }) =>
            `${method} ${path.replace(/^\/(?:repos\/[^/]+\/[^/]+|repositories\/\d+)/, "")}`,
        ),
    said: async (fullName, issue) => {
      const comments = await ada.comments(fullName, issue);
      return comments.filter(({ author }) => author === bot).map(({ body }) => body);
    },
    show: async (fullName, branch, path) => {
      const { data } = await ada.octokit.rest.repos.getContent({
        ...parts(fullName),
        path,
        ref: branch,
        mediaType: { format: "raw" },
      });
      return String(data);
    },
  };
}
