/** The demo's repository and what the model plays on it, with a repository that is really read and really run. */
import { readFile, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { readDemoRepository } from "../../../dev/demo-repository.ts";
import { DEMO_BUG, DEMO_QUESTION, demoScenario, type IssueText } from "../../../dev/model/demo-scenario.ts";
import { run, runDemoTests, tempCheckout } from "./temp-checkout.ts";
import { clientOf, converse, field, textOf, tool, withModel, type Outcome } from "./with-model.ts";

const CODING_TOOLS = ["Bash", "Read", "Edit", "Write"].map((name) => tool(name));
const ANSWER_TOOLS = [tool("run_code"), tool("propose_change")];
type Files = Record<string, string>;

const asked = (issue: IssueText) => `<thread origin="issue 1">\n${issue.title}\n\n${issue.body}\n</thread>`;

/** The methods a program may call, over files in memory; what it returns as the indented JSON the model gets. */
async function runProgram(files: Files, code: string): Promise<string> {
  const matching = (glob: string | undefined) =>
    Object.keys(files).filter((path) => glob === undefined || posix.matchesGlob(path, glob));
  const repo = {
    search: async ({ query, glob }: { query: string; glob?: string }) => ({
      matches: matching(glob).flatMap((path) =>
        (files[path] ?? "")
          .split("\n")
          .flatMap((text, index) => (text.includes(query) ? [{ path, line: index + 1, text }] : [])),
      ),
      truncated: false,
    }),
    readFile: async ({ path }: { path: string }) => ({
      path,
      text: files[path] ?? "",
      start: 1,
      truncated: false,
    }),
  };
  const program = new Function("repo", `return (async () => { ${code} })();`);
  return JSON.stringify(await program(repo), undefined, 1);
}

async function answer(issue: IssueText, files: Files): Promise<{ calls: Outcome[]; text: string }> {
  const client = clientOf(await withModel({ scenario: demoScenario }));
  const { calls, last } = await converse(client, asked(issue), ANSWER_TOOLS, ({ name, input }) =>
    name === "run_code" ? runProgram(files, field(input, "code")) : "ok",
  );
  return { calls, text: textOf(last.content) };
}

/** Claude Code's tools, as far as the scenario uses them, on a real folder. */
function codingTools(folder: string) {
  return async ({ name, input }: Outcome): Promise<string> => {
    const path = field(input, "file_path");
    if (name === "Bash") return run("bash", ["-c", field(input, "command")], folder);
    const text = await readFile(path, "utf8");
    if (name === "Read")
      return text
        .split("\n")
        .map((line, index) => `${index + 1}\t${line}`)
        .join("\n");
    await writeFile(
      path,
      text.replace(field(input, "old_string"), () => field(input, "new_string")),
    );
    return "The file has been updated.";
  };
}

async function fix(folder: string): Promise<string> {
  const client = clientOf(await withModel({ scenario: demoScenario }));
  const { last } = await converse(
    client,
    `CWD: ${folder}\n\n${asked(DEMO_BUG)}`,
    CODING_TOOLS,
    codingTools(folder),
  );
  return textOf(last.content);
}

/** Node starts once for each of its test files; a busy machine takes its time. */
const PATIENCE = { timeout: 60_000 };

describe("the demo's repository", PATIENCE, () => {
  it("fails exactly one of its tests, and all its source is there", async () => {
    const files = await readDemoRepository();
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([".gitignore", "AGENTS.md", "README.md", "package.json", "src/truncate.ts"]),
    );
    const tests = await runDemoTests(await tempCheckout());
    expect(tests).toMatchObject({
      failed: 1,
      failing: ["truncate keeps a word that ends exactly where the room ends"],
    });
    expect(tests?.passed).toBeGreaterThan(15);
  });

  it("has issues that mention the App and hold no directive", () => {
    for (const { title, body } of [DEMO_QUESTION, DEMO_BUG]) {
      expect(body).toContain("@patchwright");
      expect(title + body).not.toContain("%%");
    }
  });
});

describe("the question", () => {
  it("is answered with places and lines that are in the repository", async () => {
    const files = await readDemoRepository();
    const { calls, text } = await answer(DEMO_QUESTION, files);
    expect(calls.map((call) => call.name)).toEqual(["run_code"]);
    const quotes = [...text.matchAll(/`([\w./-]+):(\d+)`(?: `([^\n]+?)`(?= |\.|$))?/gm)];
    expect(quotes.length).toBeGreaterThanOrEqual(4);
    for (const [, path = "", line, code] of quotes) {
      const there = files[path]?.split("\n")[Number(line) - 1];
      expect(there).toContain(code ?? "export function slugify");
    }
    expect(text).toContain("`creme-brulee`");
  });

  it("is answered otherwise when the repository is otherwise", async () => {
    const files = await readDemoRepository();
    const moved = { "src/words/slug.ts": `// moved\n\n${files["src/slugify.ts"]}` };
    expect((await answer(DEMO_QUESTION, moved)).text).toMatch(/`src\/words\/slug\.ts:\d+`/);
    expect((await answer(DEMO_QUESTION, moved)).text).toContain("I found no test");
    const plain = {
      "src/slugify.ts": "export function slugify(text: string): string {\n  return text;\n}\n",
    };
    expect((await answer(DEMO_QUESTION, plain)).text).toContain("I see no line in it that treats accents");
    expect((await answer(DEMO_QUESTION, {})).text).toContain("did not find it");
  });
});

describe("any other conversation", () => {
  it("is left to its directives, a review of the demo's own fix among them", async () => {
    const client = clientOf(await withModel({ scenario: demoScenario }));
    const opening = `${DEMO_BUG.title}\n%% finding: src/truncate.ts:9 Look here`;
    const { calls } = await converse(client, opening, [tool("run_code"), tool("report_finding")], () => "ok");
    expect(calls.map((call) => call.name)).toEqual(["report_finding"]);
  });
});

describe("the bug", PATIENCE, () => {
  it("is looked at and then proposed, with the place that was found", async () => {
    const { calls } = await answer(DEMO_BUG, await readDemoRepository());
    expect(calls.map((call) => call.name)).toEqual(["run_code", "propose_change"]);
    expect(calls[1]?.input).toEqual({
      title: expect.stringMatching(/^.{10,70}$/),
      brief: expect.stringMatching(/`src\/truncate\.ts:\d+`: `const lastSpace = /),
    });
  });

  it("is fixed in the checkout, and the summary tells what the two test runs printed", async () => {
    const folder = await tempCheckout();
    const summary = await fix(folder);
    expect(await runDemoTests(folder)).toMatchObject({ failed: 0 });
    expect(summary).toMatch(/Before: 21 passed, 1 failed \(truncate keeps .*\)\. Now: 22 passed, 0 failed\./);
  });

  it("is left alone where nothing fails, and where the code is not what it was", async () => {
    const mended = await tempCheckout();
    await fix(mended);
    expect(await fix(mended)).toContain("Nothing fails, so I changed nothing");
    const other = await tempCheckout();
    await writeFile(
      join(other, "src/truncate.ts"),
      "export function truncate(text: string): string {\n  return text;\n}\n",
    );
    expect(await fix(other)).toContain("I did not find the line I expected in `src/truncate.ts`");
  });
});
