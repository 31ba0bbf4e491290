/** Branches and pull requests as a person makes them, for tests about what happens to those. */
import type { Octokit } from "octokit";

type At = { readonly owner: string; readonly repo: string };

/** `count` numbered lines of text. */
export function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}

/** Writes a file on a branch, over what is there; the new commit. */
export async function write(
  client: Octokit,
  at: At,
  branch: string,
  path: string,
  text: string,
): Promise<string> {
  const present = await client.rest.repos.getContent({ ...at, path, ref: branch }).catch(() => undefined);
  const sha = present === undefined || Array.isArray(present.data) ? undefined : present.data.sha;
  const content = Buffer.from(text).toString("base64");
  const order = { ...at, branch, path, message: `Write ${path}`, content };
  const { data } = await client.rest.repos.createOrUpdateFileContents({
    ...order,
    ...(sha === undefined ? {} : { sha }),
  });
  return data.commit.sha ?? "";
}

/** A pull request titled "From NAME" of a new branch with one commit that writes one file. */
export async function openPull(client: Octokit, at: At, name: string, path = `${name}.txt`, text = "new\n") {
  const { data: main } = await client.rest.git.getRef({ ...at, ref: "heads/main" });
  await client.rest.git.createRef({ ...at, ref: `refs/heads/${name}`, sha: main.object.sha });
  const sha = await write(client, at, name, path, text);
  const { data } = await client.rest.pulls.create({ ...at, head: name, base: "main", title: `From ${name}` });
  return { here: { ...at, pull_number: data.number }, sha, data };
}
