/** All routes, in the order they are tried. */
import type { RestOptions } from "../http/rest.ts";
import { appRoutes } from "./app.ts";
import { archiveRoutes } from "./archive.ts";
import { checkRoutes } from "./checks.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { gitDataRoutes } from "./git-data.ts";
import { gitRefRoutes } from "./git-refs.ts";
import { hookRoutes } from "./hook.ts";
import { issueCommentRoutes } from "./issue-comments.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { metaRoutes } from "./meta.ts";
import { pullRoutes } from "./pulls.ts";
import { reactionRoutes } from "./reactions.ts";
import { repositoryRoutes } from "./repository.ts";
import { reviewCommentRoutes } from "./review-comments.ts";
import { reviewRoutes } from "./reviews.ts";
import { searchRoutes } from "./search.ts";
import { userRoutes } from "./users.ts";

export const routes: RestOptions = {
  plain: [...metaRoutes, ...appRoutes, ...hookRoutes, ...userRoutes, ...searchRoutes],
  repo: [
    ...repositoryRoutes,
    ...issueRoutes,
    ...issueCommentRoutes,
    ...reactionRoutes,
    ...labelRoutes,
    ...pullRoutes,
    ...reviewRoutes,
    ...reviewCommentRoutes,
    ...contentRoutes,
    // Before commits: /commits/{ref}/check-runs would else be a ref of that name.
    ...checkRoutes,
    ...commitRoutes,
    ...gitDataRoutes,
    ...gitRefRoutes,
    ...archiveRoutes,
  ],
};
