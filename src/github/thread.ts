/** Reading a thread as it was when someone asked. */
import { z } from "zod";
import type { ThreadText } from "../domain/github.ts";
import type { Requester } from "./requester.ts";

const Author = z.object({ login: z.string() }).nullish();
const Issue = z.object({
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  user: Author,
  comments: z.number(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string().optional() })])),
});
const Comments = z.array(
  z.object({
    body: z.string().nullish(),
    user: Author,
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

const PER_PAGE = 100;

/** Pages looked at per thread, the last ones: older comments are counted as left out. Guards our quota. */
const MAX_PAGES = 3;

/** Characters of a thread's comments in all, newest kept. Guards the model's context and the journal's 1 MiB per step. */
const MAX_CHARACTERS = 120_000;

/** Whoever deleted their account. GitHub shows the same name. */
const GHOST = "ghost";

/**
 * What was said before `asOf`. Comments made or edited later are left out and counted: whoever writes after the
 * trigger must not be able to put words into it.
 * @param asOf ISO 8601 of the trigger. GitHub's times have one-second steps, so the same second counts as after.
 */
export async function readThread(requests: Requester, number: number, asOf: string): Promise<ThreadText> {
  const issue = await requests.json("GET /issues/{number}", { number }, Issue);
  const comments: ThreadText["comments"][number][] = [];
  // GitHub lists an issue's comments oldest first, and takes no other order.
  const last = Math.max(1, Math.ceil(issue.comments / PER_PAGE));
  for (let page = Math.max(1, last - MAX_PAGES + 1); page <= last; page++) {
    const params = { number, per_page: PER_PAGE, page };
    const found = await requests.json("GET /issues/{number}/comments", params, Comments);
    for (const { body, user, created_at, updated_at } of found) {
      if (created_at >= asOf || updated_at >= asOf) continue;
      comments.push({ author: user?.login ?? GHOST, at: created_at, text: body ?? "" });
    }
  }
  const kept = newest(comments);
  return {
    number,
    title: issue.title,
    body: issue.body ?? "",
    author: issue.user?.login ?? GHOST,
    state: issue.state,
    labels: issue.labels.map((label) => (typeof label === "string" ? label : (label.name ?? ""))),
    comments: kept,
    leftOut: Math.max(0, issue.comments - kept.length),
  };
}

/** The newest that fit; what someone asks is mostly about what was said last. */
function newest(comments: ThreadText["comments"]): ThreadText["comments"] {
  let characters = 0;
  const first = comments.findLastIndex(({ text }) => (characters += text.length) > MAX_CHARACTERS);
  return comments.slice(first + 1);
}
