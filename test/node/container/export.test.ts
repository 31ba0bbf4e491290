import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contentOf, openBench, outline } from "./bench.ts";
import type { Bench } from "./bench.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const source = (path: string) => join(bench.root, "served/source", path);

it("exports nothing from an untouched checkout, touched time stamps included", async () => {
  bench.put("a.txt", "one\n");
  bench.put("src/b.txt", "two\n");
  await bench.checkout(bench.commit());
  bench.agent("touch -d 2001-01-01 a.txt; cp src/b.txt x; mv x src/b.txt");
  expect(await bench.exported()).toMatchObject({ changes: [], skipped: [] });
});

it("sees an edit that keeps size and time stamp, and that the agent's own git was told to overlook", async () => {
  bench.put("a.txt", "one\n");
  await bench.checkout(bench.commit());
  bench.agent(
    "git update-index --assume-unchanged a.txt; touch -r a.txt t; echo two > a.txt; touch -r t a.txt; rm t",
  );
  expect(contentOf(await bench.exported(), "a.txt").toString()).toBe("two\n");
});

it("exports writes, deletes, renames and executable bits in byte order of the paths", async () => {
  bench.put("gone/deep/x.txt", "x");
  bench.put("old name.txt", "moved");
  bench.put("run.sh", "#!/bin/sh\n");
  bench.put("keep.txt", "keep");
  await bench.checkout(bench.commit());
  bench.agent(
    "rm -r gone; mv 'old name.txt' new.txt; chmod +x run.sh; : > empty; mkdir B; echo b > B/b; echo é > é.txt",
  );
  const set = await bench.exported();
  expect(outline(set)).toEqual([
    "100644 B/b",
    "100644 empty",
    "delete gone/deep/x.txt",
    "100644 new.txt",
    "delete old name.txt",
    "100755 run.sh",
    "100644 é.txt",
  ]);
  expect(contentOf(set, "empty")).toHaveLength(0);
});

it("carries bytes as they are: binary, CRLF under eol rules, names with quotes and line ends", async () => {
  bench.put(".gitattributes", "* text=auto eol=crlf\n*.bin filter=lfs diff=lfs\n");
  await bench.checkout(bench.commit());
  const bytes = Buffer.from([0, 255, 13, 10, 10, 128]);
  writeFileSync(join(bench.workspace, "a.bin"), bytes);
  writeFileSync(join(bench.workspace, "crlf.txt"), "a\r\nb\n");
  writeFileSync(join(bench.workspace, "two\nlines \"q\" 's' \\.txt"), "x");
  const set = await bench.exported();
  expect(contentOf(set, "a.bin")).toEqual(bytes);
  expect(contentOf(set, "crlf.txt").toString()).toBe("a\r\nb\n");
  expect(contentOf(set, "two\nlines \"q\" 's' \\.txt").toString()).toBe("x");
});

it("runs nothing that the checkout's git folder, attributes or hooks name", async () => {
  bench.put("a.txt", "one\n");
  await bench.checkout(bench.commit());
  const canary = join(bench.root, "canary");
  const evil = join(bench.root, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\ncat\n`);
  chmodSync(evil, 0o755);
  bench.agent(`
    for key in core.fsmonitor core.sshCommand diff.external filter.evil.clean filter.evil.smudge filter.evil.process \
      diff.evil.textconv diff.evil.command core.pager core.editor credential.helper; do git config $key ${evil}; done
    git config core.hooksPath ${bench.root}; git config core.worktree /etc
    echo '* filter=evil diff=evil' > .gitattributes; echo two > a.txt
    mkdir bare && cp -r .git/HEAD .git/objects .git/refs bare/ && cp .git/config bare/config`);
  expect(outline(await bench.exported())).toEqual(["100644 .gitattributes", "100644 a.txt"]);
  expect(existsSync(canary)).toBe(false);
});

it("does not need the checkout's git folder", async () => {
  bench.put("a.txt", "one\n");
  await bench.checkout(bench.commit());
  bench.agent("rm -rf .git; ln -s /etc .git; echo two > a.txt");
  expect(outline(await bench.exported())).toEqual(["100644 a.txt"]);
});

it("exports a link as its text and never what it points to", async () => {
  bench.put("was-file", "x");
  bench.put("dir/secret", "base");
  bench.put("dir/other", "base");
  await bench.checkout(bench.commit());
  bench.agent(
    "rm was-file; ln -s /etc/hostname was-file; rm -r dir; ln -s /etc dir; ln -s dir/passwd new-link",
  );
  const set = await bench.exported();
  expect(outline(set)).toEqual([
    "120000 dir",
    "delete dir/other",
    "delete dir/secret",
    "120000 new-link",
    "120000 was-file",
  ]);
  expect(contentOf(set, "was-file").toString()).toBe("/etc/hostname");
  expect(contentOf(set, "dir").toString()).toBe("/etc");
});

it("is not led outside by folders that turn into links while it looks", async () => {
  for (let index = 0; index < 40; index += 1) bench.put(`d/f${index}`, "inside");
  await bench.checkout(bench.commit());
  const outside = join(bench.root, "outside");
  execFileSync("sh", ["-c", `mkdir ${outside}; for i in $(seq 0 39); do echo STOLEN > ${outside}/f$i; done`]);
  symlinkSync(outside, join(bench.workspace, "link"));
  // mv -T onto each other: at any moment `d` is the folder or the link.
  writeFileSync(
    join(bench.root, "swap.sh"),
    "while [ -e ../go ]; do mv -T d real; mv -T link d; mv -T d link; mv -T real d; done",
  );
  writeFileSync(join(bench.root, "box/go"), "");
  execFileSync("sh", ["-c", `cd ${bench.workspace} && (sh ../../swap.sh >/dev/null 2>&1 &)`]);
  try {
    for (let round = 0; round < 5; round += 1) {
      expect(Buffer.from(JSON.stringify((await bench.exported()).changes)).toString()).not.toContain(
        Buffer.from("STOLEN\n").toString("base64"),
      );
    }
  } finally {
    execFileSync("rm", ["-f", join(bench.root, "box/go")]);
  }
});

it("cannot be made to read what the agent itself may not read", async () => {
  bench.put("a.txt", "one\n");
  await bench.checkout(bench.commit());
  bench.agent("echo two > a.txt; chmod 000 a.txt; mkdir closed; echo x > closed/x; chmod 000 closed");
  const set = await bench.exported();
  expect(set.changes).toEqual([]);
  expect(set.skipped).toEqual([
    { path: "a.txt", why: "special-file" },
    { path: "closed", why: "special-file" },
  ]);
});

it("opens a workspace that the agent shut, and says when it is gone", async () => {
  bench.put("a.txt", "one\n");
  await bench.checkout(bench.commit());
  bench.agent("echo two > a.txt; chmod 000 .");
  expect(outline(await bench.exported())).toEqual(["100644 a.txt"]);
  execFileSync("rm", ["-r", bench.workspace]);
  await expect(bench.exported()).rejects.toThrow("no-checkout");
});

it("names the first thousand of what it leaves out", async () => {
  await bench.checkout(bench.commit());
  bench.agent("mkdir many; seq 1500 | sed 's|^|many/|' | xargs touch");
  const set = await bench.exported({ files: 2 });
  expect(outline(set)).toEqual(["100644 many/1", "100644 many/10"]);
  expect(set.skipped).toHaveLength(1000);
});

it("swaps between file and folder are a delete and a write", async () => {
  bench.put("file", "x");
  bench.put("folder/a", "a");
  await bench.checkout(bench.commit());
  bench.agent("rm file; mkdir file; echo n > file/n; rm -r folder; echo f > folder");
  expect(outline(await bench.exported())).toEqual([
    "delete file",
    "100644 file/n",
    "100644 folder",
    "delete folder/a",
  ]);
});

it("names nested repositories, bare ones too, and leaves them out", async () => {
  bench.put("tracked/a", "a");
  await bench.checkout(bench.commit());
  bench.agent(`
    git init -q nested; echo x > nested/x; git init -q --bare bare; git init -q tracked; echo b > tracked/a
    mkdir odd; mkdir odd/.GIT; echo y > odd/y; mkdir gitfile; echo 'gitdir: /etc' > gitfile/.git`);
  const set = await bench.exported();
  expect(outline(set)).toEqual(["100644 tracked/a"]);
  expect(set.skipped).toEqual(
    ["bare", "gitfile", "nested", "odd", "tracked/.git"].map((path) => ({ path, why: "nested-repository" })),
  );
});

it("names pipes, sockets and names that are no text, and leaves them out", async () => {
  bench.put("a.txt", "a");
  await bench.checkout(bench.commit());
  bench.agent("mkfifo pipe; rm a.txt; mkfifo a.txt; touch \"$(printf 'bad\\377name')\"");
  const set = await bench.exported();
  expect(set.changes).toEqual([]);
  expect(set.skipped).toEqual([
    { path: "a.txt", why: "special-file" },
    { path: "bad\ufffdname", why: "not-utf8-path" },
    { path: "pipe", why: "special-file" },
  ]);
});

it("keeps a submodule's entry, whatever happened to its folder", async () => {
  bench.put("a.txt", "a");
  bench.commit();
  bench.source("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},lib`);
  bench.source("commit", "--quiet", "-m", "submodule");
  await bench.checkout(bench.source("rev-parse", "HEAD").trim());
  bench.agent("rmdir lib; echo x > lib");
  expect((await bench.exported()).changes).toEqual([]);
});

it("takes a file of exactly the limit, names one of a byte more, and fills the set in order", async () => {
  bench.put("base-large", Buffer.alloc(2000, 1));
  await bench.checkout(bench.commit());
  bench.agent(
    "head -c 1000 /dev/zero > a; head -c 1001 /dev/zero > b; head -c 999 /dev/zero > c; echo > d; echo > e",
  );
  const set = await bench.exported({ files: 3, fileBytes: 1000, totalBytes: 1500 });
  expect(outline(set)).toEqual(["100644 a", "100644 d", "100644 e"]);
  expect(set.skipped).toEqual([
    { path: "b", why: "too-large" },
    { path: "c", why: "set-full" },
  ]);
  expect((await bench.exported({ files: 1, fileBytes: 1000 })).skipped).toEqual(
    ["b", "c", "d", "e"].map((path) => ({ path, why: "set-full" })),
  );
});

it("leaves out what the base ignores, even when the agent removes the rule, and what the agent ignores", async () => {
  bench.put(".gitignore", "node_modules/\n*.log\n!keep.log\n");
  bench.put("pkg/.gitignore", "out\n");
  bench.put("pkg/out/tracked.txt", "tracked although ignored");
  bench.put("pkg/a.txt", "a");
  await bench.checkout(bench.commit());
  bench.agent(`
    rm .gitignore pkg/.gitignore; echo 'dist/' > .gitignore
    mkdir -p node_modules/x pkg/node_modules pkg/out dist/y new
    for f in node_modules/x/i.js pkg/node_modules/i.js pkg/out/new.txt dist/y/z a.log keep.log new/n.txt; do echo n > $f; done
    echo changed > pkg/out/tracked.txt; mkfifo node_modules/pipe; git init -q node_modules/repo`);
  const set = await bench.exported();
  expect(outline(set)).toEqual([
    "100644 .gitignore",
    "100644 keep.log",
    "100644 new/n.txt",
    "delete pkg/.gitignore",
    "100644 pkg/out/tracked.txt",
  ]);
  expect(set.skipped).toEqual([]);
});

it("reads no rules through a link", async () => {
  await bench.checkout(bench.commit());
  const rules = join(bench.root, "rules");
  writeFileSync(rules, "*\n");
  bench.agent(`ln -s ${rules} .gitignore; echo a > a.txt`);
  expect(outline(await bench.exported())).toEqual(["120000 .gitignore", "100644 a.txt"]);
});

it("keeps names apart that differ in case only", async () => {
  writeFileSync(source("Readme"), "one");
  await bench.checkout(bench.commit());
  writeFileSync(join(bench.workspace, "README"), "two");
  const set = await bench.exported();
  expect(outline(set)).toEqual(["100644 README"]);
});

it("says when nothing is checked out", async () => {
  const answer = await bench.tool("export", { limits: { files: 1, fileBytes: 1, totalBytes: 1 } });
  expect(answer).toMatchObject({ ok: false, fault: { why: "no-checkout" } });
});

it("exports from a repository with SHA-256 object ids", async () => {
  execFileSync("rm", ["-rf", source(".git")]);
  bench.source("init", "--quiet", "--object-format=sha256");
  bench.put("a.txt", "one\n");
  bench.put("b.txt", "one\n");
  const commit = bench.commit();
  expect(commit).toHaveLength(64);
  await bench.checkout(commit);
  bench.agent("echo two > b.txt");
  expect(outline(await bench.exported())).toEqual(["100644 b.txt"]);
});
