import { createSign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { APP_ID, PRIVATE_KEY, app, person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let installationId: number;
/** Milliseconds the server's clock is ahead of ours. */
let ahead = 0;
const serverNow = () => Date.now() + ahead;

beforeAll(async () => {
  started = await start({ now: serverNow });
  github = started.github;
  for (const name of ["widgets", "gadgets", "uninstalled"]) {
    await github.addRepository({ owner: "acme", name, private: true, files: { "a.txt": "a\n" } });
  }
  installationId = github.install(["acme/widgets", "acme/gadgets"]).installationId;
});

afterAll(() => started.stop());

function jwt(claims: object, header: object = { alg: "RS256", typ: "JWT" }, key = PRIVATE_KEY): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createSign("sha256").update(signed).sign(key, "base64url")}`;
}

async function ask(token: string, path = "/app"): Promise<{ status: number; message: unknown }> {
  const response = await fetch(github.apiUrl + path, { headers: { authorization: `Bearer ${token}` } });
  const body: unknown = await response.json();
  return {
    status: response.status,
    message: typeof body === "object" && body !== null ? Reflect.get(body, "message") : undefined,
  };
}

const mint = (order: object = {}) =>
  app(github).octokit.request("POST /app/installations/{installation_id}/access_tokens", {
    installation_id: installationId,
    ...order,
  });

describe("App JWTs", () => {
  const seconds = () => Math.floor(serverNow() / 1000);

  it("are taken with the App's id or its client id as issuer", async () => {
    const times = { iat: seconds() - 30, exp: seconds() + 500 };
    expect((await ask(jwt({ ...times, iss: APP_ID }))).status).toBe(200);
    expect((await ask(jwt({ ...times, iss: "Iv23liLocalClient" }))).status).toBe(200);
  });

  it("are refused in GitHub's words when late, early, too long, foreign or forged", async () => {
    const good = { iat: seconds() - 30, exp: seconds() + 500, iss: APP_ID };
    const said = async (token: string) => (await ask(token)).message;
    expect(await said(jwt({ ...good, exp: seconds() - 1 }))).toMatch(
      /^'Expiration time' claim \('exp'\) must be/,
    );
    expect(await said(jwt({ ...good, exp: seconds() + 1000 }))).toBe(
      "'Expiration time' claim ('exp') is too far in the future",
    );
    expect(await said(jwt({ ...good, iat: seconds() + 120 }))).toMatch(
      /^'Issued at' claim \('iat'\) must be/,
    );
    expect(await ask(jwt({ ...good, iss: 999 }))).toEqual({ status: 404, message: "Integration not found" });
    const forged = `${jwt(good).slice(0, -8)}AAAAAAAA`;
    expect(await ask(forged)).toEqual({ status: 401, message: "A JSON web token could not be decoded" });
    expect((await ask(jwt(good, { alg: "none" }))).status).toBe(401);
  });

  it("are what the App's own endpoints ask for", async () => {
    const { token } = github.addUser("jay");
    expect(await ask(token)).toEqual({ status: 401, message: "A JSON web token could not be decoded" });
  });
});

describe("installation tokens", () => {
  it("have the long form, and the classic one when asked for", async () => {
    const long = await mint();
    expect(long.data.token).toMatch(/^ghs_4711_[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(long.data.token.length).toBeGreaterThan(400);
    const classic = await mint({ headers: { "x-github-stateless-s2s-token": "disabled" } });
    expect(classic.data.token).toMatch(/^ghs_[A-Za-z0-9]{36}$/);
  });

  it("expire after an hour", async () => {
    const { data } = await mint();
    const life = Date.parse(data.expires_at) - serverNow();
    expect(Math.round(life / 60_000)).toBe(60);
    const client = person(github, data.token);
    await client.rest.repos.get({ owner: "acme", repo: "widgets" });
    ahead = 3_600_001;
    const late = await refusal(client.rest.repos.get({ owner: "acme", repo: "widgets" }));
    ahead = 0;
    expect(late).toMatchObject({ status: 401, message: "Bad credentials" });
  });

  it("stop working when revoked", async () => {
    const client = person(github, (await mint()).data.token);
    expect((await client.rest.apps.revokeInstallationAccessToken()).status).toBe(204);
    expect(await refusal(client.rest.apps.listReposAccessibleToInstallation())).toMatchObject({
      status: 401,
    });
  });

  it("are narrowed to repositories: the others answer 404", async () => {
    const { data } = await mint({ repositories: ["widgets"] });
    expect(data.repositories?.map((repo) => repo.full_name)).toEqual(["acme/widgets"]);
    const client = person(github, data.token);
    await client.rest.issues.create({ owner: "acme", repo: "widgets", title: "in reach" });
    expect(await refusal(client.rest.repos.get({ owner: "acme", repo: "gadgets" }))).toMatchObject({
      status: 404,
    });
    const list = await client.rest.apps.listReposAccessibleToInstallation();
    expect(list.data.total_count).toBe(1);
  });

  it("are not narrowed to what the installation lacks", async () => {
    expect(await refusal(mint({ repositories: ["uninstalled"] }))).toMatchObject({
      status: 422,
      message:
        "There is at least one repository that does not exist or is not accessible to the parent installation.",
    });
    expect(await refusal(mint({ repository_ids: [1] }))).toMatchObject({ status: 422 });
    expect(await refusal(mint({ permissions: { statuses: "write" } }))).toMatchObject({
      status: 422,
      message: "The permissions requested are not granted to this installation.",
    });
    expect(await refusal(mint({ permissions: { secrets: "read" } }))).toMatchObject({ status: 422 });
  });

  it("are held to their permissions, and the answer names the one that is missing", async () => {
    const { data } = await mint({ permissions: { issues: "read" } });
    expect(data.permissions).toEqual({ metadata: "read", issues: "read" });
    const client = person(github, data.token);
    const here = { owner: "acme", repo: "widgets" };
    await client.rest.issues.listForRepo(here);
    const response = await fetch(`${github.apiUrl}/repos/acme/widgets/issues`, {
      method: "POST",
      headers: { authorization: `Bearer ${data.token}` },
      body: JSON.stringify({ title: "no" }),
    });
    expect(response.status).toBe(403);
    expect(response.headers.get("x-accepted-github-permissions")).toBe("issues=write");
    expect(await response.json()).toMatchObject({ message: "Resource not accessible by integration" });
    expect(await refusal(client.rest.repos.getContent({ ...here, path: "" }))).toMatchObject({ status: 403 });
  });

  it("of a suspended installation are refused until it is resumed", async () => {
    const client = person(github, (await mint()).data.token);
    const self = app(github).octokit;
    await self.rest.apps.suspendInstallation({ installation_id: installationId });
    expect(await refusal(client.rest.apps.listReposAccessibleToInstallation())).toMatchObject({
      status: 403,
      message: "This installation has been suspended",
    });
    expect(await refusal(mint())).toMatchObject({ status: 403 });
    await self.rest.apps.unsuspendInstallation({ installation_id: installationId });
    await client.rest.apps.listReposAccessibleToInstallation();
  });
});

describe("an installation", () => {
  it("loses and regains a repository by its administrator's hand, and its tokens with it", async () => {
    const owner = person(github, github.addUser("acme").token);
    const client = person(github, (await mint()).data.token);
    const { data: repo } = await client.rest.repos.get({ owner: "acme", repo: "gadgets" });
    const change = { installation_id: installationId, repository_id: repo.id };
    await owner.rest.apps.removeRepoFromInstallationForAuthenticatedUser(change);
    expect(await refusal(client.rest.repos.get({ owner: "acme", repo: "gadgets" }))).toMatchObject({
      status: 404,
    });
    await owner.rest.apps.addRepoToInstallationForAuthenticatedUser(change);
    await client.rest.repos.get({ owner: "acme", repo: "gadgets" });
    const stranger = person(github, github.addUser("mal").token);
    expect(
      await refusal(stranger.rest.apps.removeRepoFromInstallationForAuthenticatedUser(change)),
    ).toMatchObject({ status: 404 });
  });
});

describe("the manifest flow", () => {
  it("exchanges a code, once, for the App and a key in PKCS#1 that works", async () => {
    const convert = () => person(github).rest.apps.createFromManifest({ code: "a-code" });
    const { data } = await convert();
    expect(data).toMatchObject({ id: APP_ID, slug: "patchwright", webhook_secret: "a webhook secret" });
    expect(data.pem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----/);
    const seconds = Math.floor(serverNow() / 1000);
    expect(
      (await ask(jwt({ iat: seconds, exp: seconds + 60, iss: APP_ID }, undefined, data.pem))).status,
    ).toBe(200);
    expect(await refusal(convert())).toMatchObject({ status: 404 });
  });
});

describe("the App's own client", () => {
  it("finds an installation by repository, user and id, private ones too", async () => {
    const self = app(github).octokit;
    const { data } = await self.rest.apps.getRepoInstallation({ owner: "acme", repo: "widgets" });
    expect(data.id).toBe(installationId);
    expect((await self.rest.apps.getUserInstallation({ username: "acme" })).data.id).toBe(installationId);
    expect(
      await refusal(self.rest.apps.getRepoInstallation({ owner: "acme", repo: "uninstalled" })),
    ).toMatchObject({
      status: 404,
    });
  });

  it("cannot reach a repository with a JWT", async () => {
    const token = jwt({
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 60,
      iss: APP_ID,
    });
    expect(await ask(token, "/repos/acme/widgets")).toEqual({ status: 404, message: "Not Found" });
  });

  it("sets its clock by the server's Date when its JWTs come too late", async () => {
    ahead = 30 * 60_000;
    const { data } = await app(github).octokit.rest.apps.getAuthenticated();
    ahead = 0;
    expect(data?.slug).toBe("patchwright");
  });
});
