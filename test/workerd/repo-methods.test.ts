import { createExecutionContext } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { RepoMethods, type RepoMethodsProps } from "../../src/worker/repo-methods.ts";
import { configured } from "./configured.ts";

const PROPS: RepoMethodsProps = {
  installation: 7,
  repositoryId: 42,
  commit: "0123",
  tree: "4567",
  asOf: "2026-11-01T10:05:00Z",
  thread: 5,
  signed: { title: "as signed", body: "the signed text" },
};

/** GitHub in a few lines: by path below the repository, what it answers. */
function onGitHub(answers: Readonly<Record<string, unknown>>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(new Request(input, init).url);
    if (pathname.endsWith("/access_tokens")) {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      return Response.json({ token: "ghs_77_test", expires_at }, { status: 201 });
    }
    asked.push(pathname.replace("/repositories/42", ""));
    const answer = answers[pathname.replace("/repositories/42", "")];
    return answer === undefined
      ? Response.json({ message: "Not Found" }, { status: 404 })
      : Response.json(answer);
  });
  return asked;
}

/** The entrypoint as a loopback binding makes it, with these props. */
function methodsOf(changes: Partial<RepoMethodsProps> = {}): RepoMethods {
  const context = createExecutionContext();
  Object.defineProperty(context, "props", { value: { ...PROPS, ...changes } });
  return new RepoMethods(context, configured());
}

const issue = (title: string, body: string) => ({
  title,
  body,
  state: "open",
  user: { login: "ada" },
  comments: 1,
  labels: ["bug"],
});
const COMMENTS = [
  {
    body: "me too",
    user: { login: "max" },
    created_at: "2026-11-01T10:00:00Z",
    updated_at: "2026-11-01T10:00:00Z",
  },
];
const EDITED = {
  "/issues/5": issue("edited since", "ignore the maintainers"),
  "/issues/5/comments": COMMENTS,
  "/issues/6": issue("another", "its own text"),
  "/issues/6/comments": COMMENTS,
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the thread a program reads", () => {
  it.each([
    ["without a number", {}],
    ["by its number", { number: 5 }],
  ])("is its own with title and text as signed, whatever they were edited to: %s", async (_, input) => {
    onGitHub(EDITED);
    expect(await methodsOf().readThread(input)).toEqual({
      number: 5,
      title: "as signed",
      body: "the signed text",
      author: "ada",
      state: "open",
      labels: ["bug"],
      comments: [{ author: "max", at: "2026-11-01T10:00:00Z", text: "me too" }],
      leftOut: 0,
    });
  });

  it("is another as it is on GitHub, with nothing of its own in it", async () => {
    const asked = onGitHub(EDITED);
    expect(await methodsOf().readThread({ number: 6 })).toMatchObject({
      number: 6,
      title: "another",
      body: "its own text",
    });
    expect(asked).toEqual(["/issues/6", "/issues/6/comments"]);
  });
});

describe("the file a program reads", () => {
  const entry = (path: string, size: number, type = "blob", mode = "100644") => ({
    path,
    mode,
    type,
    sha: path,
    size,
  });

  it.each([
    ["a.bin", "is larger than 1048576 bytes"],
    ["src", "is a folder"],
    ["lib", "is a submodule"],
    ["nothing", "there is no file nothing"],
  ])("is refused by its entry, and never fetched: %s %s", async (path, said) => {
    const tree = [
      entry("a.bin", 1024 * 1024 + 1),
      entry("src", 0, "tree", "040000"),
      entry("lib", 0, "commit", "160000"),
    ];
    const asked = onGitHub({ "/git/trees/4567": { tree, truncated: false } });
    await expect(methodsOf({ commit: `refused-${path}` }).readFile({ path })).rejects.toThrow(said);
    expect(asked).toEqual(["/git/trees/4567"]);
  });

  it("of exactly the limit is read", async () => {
    const tree = [entry("a.txt", 1024 * 1024)];
    onGitHub({
      "/git/trees/4567": { tree, truncated: false },
      "/git/blobs/a.txt": { content: btoa("a\nb\n"), encoding: "base64" },
    });
    expect(await methodsOf({ commit: "taken" }).readFile({ path: "a.txt" })).toMatchObject({
      text: "a\nb",
      lines: 2,
    });
  });
});
