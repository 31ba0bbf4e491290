/** What `npm run dev` prints once the world is up: issues to open, as commands that can be pasted. */
import { DEMO_BUG, DEMO_QUESTION, type IssueText } from "../model/demo-scenario.ts";
import type { World } from "./start-world.ts";

/** The parts of a world that are told. */
type Told = {
  readonly github: Pick<World["github"], "url" | "apiUrl">;
  readonly worker: Pick<World["worker"], "url">;
  readonly app: Pick<World["app"], "slug">;
  /** Undefined for the real one. */
  readonly model: object | undefined;
};

/** @param repository its full name */
export function guide(world: Told, repository: string): string {
  const open = (issue: IssueText) => curl(`${world.github.apiUrl}/repos/${repository}/issues`, issue);
  const directive: IssueText = {
    title: "A directive",
    body: `@${world.app.slug} please answer\n\n%% say: Hello from the scripted model.`,
  };
  const model =
    world.model === undefined
      ? ["The real model answers, because ANTHROPIC_API_KEY is set (it costs money)."]
      : [
          "The model is a script: it plays the two issues above, obeys `%%` directives in a text",
          "(dev/model/directives.ts lists them), and understands nothing else.",
          "With ANTHROPIC_API_KEY set, the real model is asked instead.",
        ];
  return [
    "",
    "The local world is up; it is described in .dev/world.json. Ctrl-C ends it.",
    `  GitHub    ${world.github.url}/${repository}`,
    `  Worker    ${world.worker.url}/health`,
    "",
    "Open an issue as ada, who may write. A question:",
    open(DEMO_QUESTION),
    "A bug, which becomes a pull request:",
    open(DEMO_BUG),
    "A text of your own, with a directive for the model:",
    open(directive),
    "",
    ...model,
    "The containers are plain processes of this machine: no security boundary.",
    "",
  ].join("\n");
}

/** The token is read from the file when the command runs, so that none is printed. */
function curl(url: string, issue: IssueText): string {
  return [
    `  curl -s --noproxy '*' ${url} \\`,
    `    -H "authorization: token $(node -p "require('./.dev/world.json').users.ada.token")" \\`,
    `    -d ${quote(JSON.stringify(issue))}`,
  ].join("\n");
}

/** One word for a shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
