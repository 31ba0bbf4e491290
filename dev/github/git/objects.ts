/** git's tree and commit objects, read from and written to their raw bytes. */

export type TreeEntry = {
  readonly mode: "040000" | "100644" | "100755" | "120000" | "160000";
  readonly type: "blob" | "tree" | "commit";
  readonly oid: string;
  readonly name: string;
};

export type Ident = {
  readonly name: string;
  readonly email: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** As git writes it: +0000. */
  readonly zone: string;
};

export type Commit = {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Ident;
  readonly committer: Ident;
  readonly message: string;
  /** The gpgsig header, unfolded, and the bytes it signs; null when the commit carries none. */
  readonly signature: { readonly text: string; readonly payload: string } | null;
};

export function parseTree(data: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(32, at);
    const nul = data.indexOf(0, space);
    const mode = entryMode(data.toString("latin1", at, space));
    entries.push({
      mode,
      type: mode === "040000" ? "tree" : mode === "160000" ? "commit" : "blob",
      name: data.toString("utf8", space + 1, nul),
      oid: data.toString("hex", nul + 1, nul + 21),
    });
    at = nul + 21;
  }
  return entries;
}

function entryMode(text: string): TreeEntry["mode"] {
  switch (text.padStart(6, "0")) {
    case "040000":
      return "040000";
    case "100755":
      return "100755";
    case "120000":
      return "120000";
    case "160000":
      return "160000";
    // Old histories hold modes such as 100664; git itself reads them as plain files.
    default:
      return "100644";
  }
}

export function parseCommit(oid: string, data: Buffer): Commit {
  const text = data.toString("utf8");
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const headers = unfold(head.split("\n"));
  const one = (name: string) => headers.find(([key]) => key === name)?.[1] ?? "";
  const signature = one("gpgsig");
  return {
    oid,
    tree: one("tree"),
    parents: headers.filter(([key]) => key === "parent").map(([, value]) => value),
    author: parseIdent(one("author")),
    committer: parseIdent(one("committer")),
    message: end < 0 ? "" : text.slice(end + 2),
    signature: signature === "" ? null : { text: signature, payload: withoutSignature(text, end) },
  };
}

/** Header lines to pairs; a line that starts with a space continues the one before. */
function unfold(lines: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    if (line.startsWith(" ") && last !== undefined) last[1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(" ");
      headers.push([line.slice(0, space), line.slice(space + 1)]);
    }
  }
  return headers;
}

function withoutSignature(text: string, end: number): string {
  const kept: string[] = [];
  let inside = false;
  for (const line of text.slice(0, end).split("\n")) {
    inside = line.startsWith("gpgsig ") || (inside && line.startsWith(" "));
    if (!inside) kept.push(line);
  }
  return kept.join("\n") + text.slice(end);
}

function parseIdent(text: string): Ident {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d{4})$/.exec(text);
  return {
    name: match?.[1] ?? "",
    email: match?.[2] ?? "",
    at: Number(match?.[3] ?? 0),
    zone: match?.[4] ?? "+0000",
  };
}

/** What a commit object says, before a signature. */
export function commitText(commit: {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Ident;
  readonly committer: Ident;
  readonly message: string;
}): string {
  return [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${identText(commit.author)}`,
    `committer ${identText(commit.committer)}`,
    "",
    commit.message,
  ].join("\n");
}

/** `<` `>` and line feeds would end the field early: git drops them too. */
function identText(who: Ident): string {
  return `${identPart(who.name)} <${identPart(who.email)}> ${who.at} ${who.zone}`;
}

function identPart(text: string): string {
  return text.replace(/[<>\n\0]/g, "").trim();
}

/** The commit text with `signature` folded in as its gpgsig header. */
export function withSignature(payload: string, signature: string): string {
  const end = payload.indexOf("\n\n");
  return `${payload.slice(0, end)}\ngpgsig ${signature.split("\n").join("\n ")}${payload.slice(end)}`;
}
