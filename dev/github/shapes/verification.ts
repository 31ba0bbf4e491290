/**
 * Commit signatures. GitHub signs what an App commits through the API without naming an author; here the server's
 * own key stands for GitHub's, so "verified" is computed from the commit's bytes and not remembered.
 */
import type { Commit } from "../git/objects.ts";
import { withSignature } from "../git/objects.ts";
import { iso } from "./time.ts";
import type { World } from "../world.ts";

/** The commit text signed by the server. */
export function signCommit(world: World, payload: string): string {
  const mac = Buffer.from(world.sign(payload), "hex").toString("base64");
  return withSignature(payload, `-----BEGIN PGP SIGNATURE-----\n\n${mac}\n-----END PGP SIGNATURE-----\n`);
}

export function verificationOf(world: World, commit: Commit) {
  const { signature } = commit;
  if (signature === null) {
    return { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null };
  }
  const mac = Buffer.from(world.sign(signature.payload), "hex").toString("base64");
  const verified = signature.text.includes(`\n${mac}\n`);
  return {
    verified,
    reason: verified ? "valid" : "unknown_key",
    signature: signature.text,
    payload: signature.payload,
    verified_at: verified ? iso(commit.committer.at * 1000) : null,
  };
}
