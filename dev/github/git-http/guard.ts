/** What a push may not bring, checked by a pre-receive hook so that git itself reports the refusal. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grants } from "../http/access.ts";
import type { Actor } from "../state/model.ts";

/** Environment for http-backend: pushes of Apps without `workflows` are checked by the hook. */
export function guardPush(actor: Actor): Record<string, string> {
  const guarded = actor.kind === "installation" && !grants(actor, "workflows:write");
  return guarded ? { REFUSE_WORKFLOWS: "1" } : {};
}

/** GitHub docs: an App needs the `workflows` permission to push a change of .github/workflows. */
const HOOK = `#!/bin/sh
test -n "$REFUSE_WORKFLOWS" || exit 0
none=0000000000000000000000000000000000000000
while read -r before after ref; do
  test "$after" = $none && continue
  for commit in $(git rev-list "$after" --not --all); do
    file=$(git diff-tree --root --no-commit-id --name-only -r "$commit" -- .github/workflows | head -n 1)
    test -z "$file" && continue
    echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission" >&2
    exit 1
  done
done
`;

/** Puts the hook into a bare repository. */
export function installGuard(dir: string): void {
  mkdirSync(join(dir, "hooks"), { recursive: true });
  const path = join(dir, "hooks", "pre-receive");
  writeFileSync(path, HOOK);
  chmodSync(path, 0o755);
}
