/** The one comment of a request, from its first "working on it" to its end. A pure function of what is known. */
import type { RequestEnd } from "../domain/request.ts";
import { redact } from "../lib/redact.ts";
import { failureText } from "./failure-text.ts";
import { wholeCharacters } from "../lib/whole-characters.ts";
import { closing } from "./closing.ts";
import { outgoing } from "./outgoing.ts";
import { codeSpan, details, escapeHtml, fence, paragraphs } from "./sections.ts";

export type StatusView = {
  readonly task: string;
  readonly request: string;
  /** The proposal, once there is one: shown before a container starts. */
  readonly proposal?: { readonly title: string; readonly brief: string };
  /** What is being done now, in a few words; not shown once it has ended. */
  readonly doing?: string;
  readonly notes: readonly string[];
  readonly end?: Exclude<RequestEnd, { state: "refused" }>;
};

/** GitHub refuses bodies over 65,536 characters; peers stay below, and so do we. */
const MOST = 60_000;

/** Found again by this, in a comment that GitHub says our App wrote; anyone can copy it into one of theirs. */
export function marker(task: string, request: string): string {
  return `<!-- patchwright task=${task} request=${request} -->`;
}

export function statusComment(view: StatusView): string {
  const text = paragraphs([headline(view), proposal(view), body(view), ...view.notes]);
  const tail = `\n\n${marker(view.task, view.request)}`;
  return cutMarkdown(text, MOST - tail.length) + tail;
}

function headline(view: StatusView): string {
  if (view.end === undefined) return `**Working on it**${view.doing === undefined ? "" : `: ${view.doing}`}.`;
  switch (view.end.state) {
    case "answered":
      return "";
    case "opened":
      return `**Opened ${view.end.draft ? "a draft, " : ""}#${view.end.pullRequest.number}**. ${view.end.verdict}`;
    case "failed":
      return `**Not done.** ${failureText(view.end.why).what}`;
  }
}

function proposal(view: StatusView): string {
  if (view.proposal === undefined) return "";
  const title = redact(view.proposal.title.replaceAll(/\s+/g, " "));
  // A summary is HTML, where an at sign in <code> is only text.
  return details(`Change: <code>${escapeHtml(title)}</code>`, outgoing(view.proposal.brief));
}

function body(view: StatusView): string {
  const end = view.end;
  if (end === undefined) return "";
  switch (end.state) {
    case "answered":
      return paragraphs([outgoing(end.text), looked(end.looked)]);
    case "opened": {
      const files = end.files.map((path) => `- ${codeSpan(path)}`).join("\n");
      const left =
        end.leftOut === 0
          ? ""
          : `${end.leftOut} more files were left out; the pull request says which and why.`;
      return paragraphs([outgoing(end.summary), details("Files", files), left]);
    }
    case "failed": {
      const words = end.detail === undefined ? "" : details("Details", fence(redact(end.detail)));
      return paragraphs([failureText(end.why).next, words]);
    }
  }
}

function looked(calls: readonly string[]): string {
  if (calls.length === 0) return "";
  const shown = calls.slice(0, 40).map((call) => `- ${codeSpan(redact(call))}`);
  return details("What I looked at", shown.join("\n"));
}

/** At most `most` characters; a fence or a folded part that the cut leaves open is closed. */
export function cutMarkdown(text: string, most: number): string {
  if (text.length <= most) return text;
  const note = "\n\n*[cut: this was longer than a GitHub comment may be]*";
  // What closes is at most as long as what it closes is deep: cut further until both fit.
  for (let room = most - note.length; room > 0; room -= 1_000) {
    const line = text.lastIndexOf("\n", room);
    const cut = wholeCharacters(text.slice(0, line > room / 2 ? line : room));
    const end = closing(cut) + note;
    if (cut.length + end.length <= most) return cut + end;
  }
  return note.trim().slice(0, most);
}
