/** What github/ offers. Tokens are not on the list: they stay in here. */
export { sendGitRead } from "./git-read.ts";
export { RepositoryReader } from "./reader.ts";
export type { RepositoryScope } from "./requester.ts";
export type { AppCredentials } from "./tokens.ts";
export { CodeWriter, ThreadWriter } from "./writer.ts";
