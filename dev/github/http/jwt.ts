/** App JWTs, verified as GitHub verifies them and refused in its words. */
import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";
import type { World } from "../world.ts";
import { Refusal } from "./refusal.ts";

const Claims = z.object({
  iat: z.number().int(),
  exp: z.number().int(),
  iss: z.union([z.string(), z.number()]),
});
const Header = z.object({ alg: z.literal("RS256") });

/** GitHub docs, "Generating a JWT": `exp` at most ten minutes ahead. */
const LONGEST_LIFE_S = 600;
/** Clocks drift: an `iat` up to a minute ahead is let pass. */
const DRIFT_S = 60;

export function looksLikeJwt(token: string): boolean {
  return /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(token);
}

/** Returns when the token is this App's and in time; throws GitHub's 401 otherwise. */
export function verifyAppJwt(world: World, token: string): void {
  const [head = "", body = "", signature = ""] = token.split(".");
  const header = Header.safeParse(decode(head));
  const claims = Claims.safeParse(decode(body));
  if (!header.success) throw new Refusal(401, "A JSON web token could not be decoded");
  if (!claims.success) throw new Refusal(401, claimProblem(decode(body)));
  const signed = Buffer.from(`${head}.${body}`);
  const mac = Buffer.from(signature, "base64url");
  if (!world.app.publicKeys.some((pem) => verify("sha256", signed, createPublicKey(pem), mac))) {
    throw new Refusal(401, "A JSON web token could not be decoded");
  }
  const { iat, exp, iss } = claims.data;
  if (String(iss) !== String(world.app.id) && String(iss) !== world.app.clientId) {
    throw new Refusal(404, "Integration not found");
  }
  const now = world.now() / 1000;
  if (iat > now + DRIFT_S) throw new Refusal(401, ISSUED_AT);
  if (exp <= now) throw new Refusal(401, EXPIRES);
  if (exp > now + LONGEST_LIFE_S + DRIFT_S || exp - iat > LONGEST_LIFE_S + DRIFT_S) {
    throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

const ISSUED_AT =
  "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
const EXPIRES =
  "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";

function claimProblem(claims: unknown): string {
  if (typeof claims !== "object" || claims === null) return "A JSON web token could not be decoded";
  if (!Number.isInteger(Reflect.get(claims, "iat"))) return ISSUED_AT;
  if (typeof Reflect.get(claims, "exp") !== "number") return EXPIRES;
  return "'Issuer' claim ('iss') must be an Integer";
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
