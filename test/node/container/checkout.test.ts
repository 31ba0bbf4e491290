import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gitIn, openBench, outline } from "./bench.ts";
import type { Bench } from "./bench.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const order = (commit: string, url = "http://git.internal/source/.git") => ({ url, commit, depth: 2 });

it("fills the workspace with exactly the commit that was asked for", async () => {
  bench.put("a.txt", "one\n");
  const first = bench.commit();
  bench.put("a.txt", "two\n");
  bench.commit();
  const answer = await bench.tool("checkout", order(first));
  expect(answer).toMatchObject({ ok: true, value: { commit: first, files: 1 } });
  expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("one\n");
  expect(bench.server.requests[0]).toBe(
    "GET http://git.internal/source/.git/info/refs?service=git-upload-pack",
  );
});

it("writes the bytes that are in the objects, whatever .gitattributes asks for", async () => {
  bench.put("crlf.txt", "a\r\nb\r\n");
  bench.put("lf.txt", "a\nb\n");
  bench.put("id.txt", "$Id$\n");
  bench.put("filtered.txt", "clean\n");
  const first = bench.commit();
  // Added in a second commit: git normalises what is added under such rules.
  bench.put(
    ".gitattributes",
    "* text=auto eol=crlf ident\nfiltered.txt filter=evil working-tree-encoding=UTF-16\n",
  );
  bench.source("add", ".gitattributes");
  bench.source("commit", "--quiet", "-m", "rules");
  const commit = bench.source("rev-parse", "HEAD").trim();
  expect(commit).not.toBe(first);
  await bench.checkout(commit);
  expect(readFileSync(join(bench.workspace, "crlf.txt"), "latin1")).toBe("a\r\nb\r\n");
  expect(readFileSync(join(bench.workspace, "lf.txt"), "latin1")).toBe("a\nb\n");
  expect(readFileSync(join(bench.workspace, "id.txt"), "latin1")).toBe("$Id$\n");
  expect(readFileSync(join(bench.workspace, "filtered.txt"), "latin1")).toBe("clean\n");
  expect((await bench.exported()).changes).toEqual([]);
  expect(gitIn(bench.workspace, ["status", "--porcelain"])).toBe("");
});

it("keeps links as links, executable bits, and an empty folder for a submodule", async () => {
  bench.put("run.sh", "#!/bin/sh\n");
  execFileSync("chmod", ["+x", join(bench.root, "served/source/run.sh")]);
  symlinkSync("/etc/passwd", join(bench.root, "served/source/link"));
  bench.commit();
  bench.source("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/lib`);
  bench.source("commit", "--quiet", "-m", "submodule");
  await bench.checkout(bench.source("rev-parse", "HEAD").trim());
  expect(readlinkSync(join(bench.workspace, "link"))).toBe("/etc/passwd");
  expect(statSync(join(bench.workspace, "run.sh")).mode & 0o111).toBe(0o111);
  expect(readdirSync(join(bench.workspace, "vendor/lib"))).toEqual([]);
  expect((await bench.exported()).changes).toEqual([]);
});

it("gives the agent a git folder of its own, without a remote and without a path into our state", async () => {
  bench.put("a.txt", "one\n");
  bench.commit();
  bench.put("a.txt", "two\n");
  const commit = bench.commit();
  await bench.checkout(commit);
  expect(gitIn(bench.workspace, ["log", "--format=%H %s"]).trim().split("\n")).toHaveLength(2);
  expect(gitIn(bench.workspace, ["branch", "--show-current"]).trim()).toBe("work");
  expect(gitIn(bench.workspace, ["remote"])).toBe("");
  expect(existsSync(join(bench.workspace, ".git/objects/info/alternates"))).toBe(false);
  bench.agent("echo three > a.txt && git commit -qam mine");
  const set = await bench.exported();
  expect(set.base.commit).toBe(commit);
  expect(outline(set)).toEqual(["100644 a.txt"]);
});

it("wipes what an earlier checkout or the agent left", async () => {
  bench.put("a.txt", "one\n");
  const commit = bench.commit();
  await bench.checkout(commit);
  bench.agent("mkdir -p left/over; touch left/over/x .hidden; chmod 555 left/over");
  await bench.checkout(commit);
  expect(readdirSync(bench.workspace).sort()).toEqual([".git", "a.txt"]);
});

it("redoes a checkout that was cut off before its end", async () => {
  bench.put("a.txt", "one\n");
  const commit = bench.commit();
  await bench.checkout(commit);
  execFileSync("sh", ["-c", "rm base.json; rm -rf repo.git/objects; mkdir staging; touch staging/half"], {
    cwd: bench.state,
  });
  expect(await bench.tool("export", { limits: { files: 1, fileBytes: 1, totalBytes: 1 } })).toMatchObject({
    fault: { why: "no-checkout" },
  });
  await bench.checkout(commit);
  expect(readdirSync(bench.workspace).sort()).toEqual([".git", "a.txt"]);
});

it("names a commit that the server does not have", async () => {
  bench.put("a.txt", "one\n");
  bench.commit();
  const answer = await bench.tool("checkout", order("f".repeat(40)));
  expect(answer).toMatchObject({ ok: false, fault: { why: "commit-not-found" } });
});

it("refuses an object that is no commit", async () => {
  bench.put("a.txt", "one\n");
  bench.commit();
  const tree = bench.source("rev-parse", "HEAD^{tree}").trim();
  expect(await bench.tool("checkout", order(tree))).toMatchObject({
    ok: false,
    fault: { why: "commit-not-found" },
  });
});

it("names a server that refuses, and follows no redirect", async () => {
  const commit = bench.commit();
  bench.server.answer = (_request, response) => {
    response
      .writeHead(302, { location: "http://git.internal/source/.git/info/refs?service=git-upload-pack" })
      .end();
  };
  expect(await bench.tool("checkout", order(commit))).toMatchObject({
    fault: { why: "repository-unreachable" },
  });
  expect(bench.server.requests).toHaveLength(1);
  bench.server.answer = (_request, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
  };
  expect(await bench.tool("checkout", order(commit))).toMatchObject({
    fault: { why: "repository-unreachable" },
  });
});
