import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSnapshot, SNAPSHOT_CAPS, textOf } from "../../../src/repository/snapshot.ts";

const run = promisify(execFile);

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder with files in `top/`, as GitHub's tarballs have everything in one. */
async function folderWith(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "snapshot-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "top"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "top", path)), { recursive: true });
    await writeFile(join(folder, "top", path), content);
  }
  return folder;
}

async function tarOf(folder: string, format = "pax") {
  const file = join(folder, "all.tar.gz");
  await run("tar", [`--format=${format}`, "-czf", file, "-C", folder, "top"]);
  return readSnapshot(streamOf(file));
}

async function archiveOf(folder: string) {
  const top = join(folder, "top");
  const git = (...args: string[]) =>
    run("git", ["-C", top, "-c", "user.name=a", "-c", "user.email=a@x.example", ...args]);
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "all");
  const file = join(folder, "all.tar.gz");
  await git("archive", "--format=tar.gz", "--prefix=octo-hello-0123456/", "-o", file, "HEAD");
  return readSnapshot(streamOf(file));
}

function streamOf(file: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
}

const LONG = `${"deep/".repeat(40)}${"name".repeat(40)}.txt`;

describe.each([
  ["git archive, as GitHub makes it", archiveOf],
  ["tar", tarOf],
  ["tar in GNU's format", (folder: string) => tarOf(folder, "gnu")],
])("a snapshot from %s", (_, make) => {
  it("has the text of every file, in path order, without the archive's own folder", async () => {
    const files = {
      "b.txt": "b\n",
      "a/z.txt": "z",
      "a.txt": "é\r\n",
      "empty.txt": "",
      ".github/x.yml": "a: 1",
    };
    const snapshot = await make(await folderWith(files));
    const paths = Object.keys(files).sort();
    expect(snapshot.files.map(({ path }) => path)).toEqual(paths);
    expect(Object.fromEntries(snapshot.files.map(({ path, text }) => [path, text]))).toEqual(files);
    expect(snapshot.unread).toEqual([]);
    expect(snapshot.bytes).toBe(2 + 1 + 4 + 0 + 4);
  });

  it("keeps names that are long, and those that are not ASCII", async () => {
    const files = {
      [LONG]: "long",
      "日本語/ファイル.md": "j",
      "🎉 a b.txt": "e",
      "e\u0301.txt": "n",
      "x'\"$.txt": "q",
    };
    const snapshot = await make(await folderWith(files));
    expect(Object.fromEntries(snapshot.files.map(({ path, text }) => [path, text]))).toEqual(files);
  });

  it("names binary files and does not read them, whatever they are called", async () => {
    const late = new Uint8Array(9_000).fill(65);
    late[8_500] = 0;
    const snapshot = await make(
      await folderWith({ "a.txt": Uint8Array.of(65, 0, 66), "b.bin": "text", "late.txt": late }),
    );
    expect(snapshot.unread).toEqual(["a.txt"]);
    expect(snapshot.files.map(({ path }) => path)).toEqual(["b.bin", "late.txt"]);
  });

  it("follows no symlink, and does not count it as a file", async () => {
    const folder = await folderWith({ "a.txt": "a" });
    await symlink("/etc/passwd", join(folder, "top", "evil"));
    await symlink("a.txt", join(folder, "top", "link"));
    const snapshot = await make(folder);
    expect(snapshot.files).toEqual([{ path: "a.txt", text: "a" }]);
    expect(JSON.stringify(snapshot)).not.toContain("root:");
  });

  it("reads a file of exactly the cap, and names one that has a byte more", async () => {
    const snapshot = await make(
      await folderWith({
        "fits.txt": "a".repeat(SNAPSHOT_CAPS.fileBytes),
        "large.txt": "a".repeat(SNAPSHOT_CAPS.fileBytes + 1),
        "z.txt": "after",
      }),
    );
    expect(snapshot.files.map(({ path }) => path)).toEqual(["fits.txt", "z.txt"]);
    expect(snapshot.unread).toEqual(["large.txt"]);
  });

  it("reads executables as the text they are", async () => {
    const folder = await folderWith({ "run.sh": "#!/bin/sh\n" });
    await chmod(join(folder, "top", "run.sh"), 0o755);
    expect((await make(folder)).files).toEqual([{ path: "run.sh", text: "#!/bin/sh\n" }]);
  });
});

describe("a snapshot", () => {
  it("takes no more text than its cap, and what is small still after what is not", async () => {
    const big = "a".repeat(SNAPSHOT_CAPS.fileBytes);
    const files: Record<string, string> = { "z.txt": "z" };
    for (let n = 10; n < 36; n++) files[`f${n}.txt`] = big;
    const snapshot = await tarOf(await folderWith(files));
    expect(snapshot.bytes).toBeLessThanOrEqual(SNAPSHOT_CAPS.totalBytes);
    expect(snapshot.files.length + snapshot.unread.length).toBe(27);
    expect(snapshot.unread.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["no gzip", Buffer.from("hello")],
    ["a gzip that breaks off", gzipSync(Buffer.alloc(4_096, 1)).subarray(0, 20)],
    ["a gzip of no tar", gzipSync(Buffer.alloc(2_048, 1))],
  ])("is an error, and never half a repository, from %s", async (_, bytes) => {
    await expect(readSnapshot(new Blob([bytes]).stream())).rejects.toThrow();
  });

  it("is empty from an empty archive", async () => {
    const empty = new Blob([gzipSync(Buffer.alloc(1_024))]).stream();
    expect(await readSnapshot(empty)).toEqual({ files: [], unread: [], bytes: 0 });
  });
});

describe("the text of bytes", () => {
  it("keeps a byte order mark, and repairs what is not UTF-8", () => {
    expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 65))).toBe("\ufeffA");
    expect(textOf(Uint8Array.of(65, 0xff))).toBe("A\ufffd");
  });

  it("is none where there is a NUL in the first 8,000, as git has it", () => {
    const bytes = new Uint8Array(8_001).fill(65);
    bytes[8_000] = 0;
    expect(textOf(bytes)).toHaveLength(8_001);
    bytes[7_999] = 0;
    expect(textOf(bytes)).toBeUndefined();
  });
});
