/** Labels of a repository and of its threads. */
import { z } from "zod";
import { addLabels, createLabel, deleteLabel, editLabel, removeLabel, setLabels } from "../acts/labels.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, notFound, validationFailed } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { labelShape } from "../shapes/issue.ts";
import type { Issue, Label } from "../state/model.ts";
import { threadOf } from "./find.ts";
import { READ_ISSUES, TRIAGE_ISSUES } from "./issues.ts";

/** The API takes {labels: [...]}, a bare array of names, and objects with a name. */
const Name = z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]);
const Names = z.union([
  z.array(Name),
  z.object({ labels: z.array(Name).default([]) }).transform((o) => o.labels),
]);
const Colour = z.string().regex(/^#?[0-9a-fA-F]{6}$/);
const NewLabel = z.object({
  name: z.string(),
  color: Colour.optional(),
  description: z.string().nullish(),
});
const LabelEdit = z.object({
  new_name: z.string().optional(),
  color: Colour.optional(),
  description: z.string().nullish(),
});
const WRITE_LABELS = { needs: ["issues:write", "pull_requests:write"], role: "write" } as const;

export const labelRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/labels", READ_ISSUES, (call) =>
    listReply(call, [...call.repo.labels.values()], (label) => labelShape(call.world, call.repo, label)),
  ),
  inRepo("POST", "/labels", WRITE_LABELS, (call) => {
    const order = call.body(NewLabel);
    if (call.repo.labels.has(order.name.toLowerCase())) {
      throw validationFailed({ resource: "Label", code: "already_exists", field: "name" });
    }
    const label = createLabel(call.world, call.repo, call.author, order);
    call.wrote("label", label.id, label);
    return created(labelShape(call.world, call.repo, label));
  }),
  inRepo("GET", "/labels/:name", READ_ISSUES, (call) => ok(labelShape(call.world, call.repo, labelOf(call)))),
  inRepo("PATCH", "/labels/:name", WRITE_LABELS, (call) => {
    const label = labelOf(call);
    const { new_name: name, color, description } = call.body(LabelEdit);
    editLabel(call.world, call.repo, call.author, label, { name, color, description });
    return ok(labelShape(call.world, call.repo, label));
  }),
  inRepo("DELETE", "/labels/:name", WRITE_LABELS, (call) => {
    deleteLabel(call.world, call.repo, call.author, labelOf(call));
    return noContent();
  }),
  inRepo("GET", "/issues/:number#/labels", READ_ISSUES, (call) =>
    listReply(call, threadOf(call, "read").labels, (label) => labelShape(call.world, call.repo, label)),
  ),
  inRepo("POST", "/issues/:number#/labels", TRIAGE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    addLabels(call.world, call.repo, issue, call.author, call.body(Names));
    return ok(labelsOf(call, issue));
  }),
  inRepo("PUT", "/issues/:number#/labels", TRIAGE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    setLabels(call.world, call.repo, issue, call.author, call.body(Names));
    return ok(labelsOf(call, issue));
  }),
  inRepo("DELETE", "/issues/:number#/labels", TRIAGE_ISSUES, (call) => {
    setLabels(call.world, call.repo, threadOf(call, "write"), call.author, []);
    return noContent();
  }),
  inRepo("DELETE", "/issues/:number#/labels/:name", TRIAGE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    if (!removeLabel(call.world, call.repo, issue, call.author, call.param("name"))) {
      throw new Refusal(404, "Label does not exist");
    }
    return ok(labelsOf(call, issue));
  }),
];

function labelOf(call: RepoCall): Label {
  const label = call.repo.labels.get(call.param("name").toLowerCase());
  if (label === undefined) throw notFound();
  return label;
}

function labelsOf(call: RepoCall, issue: Issue): object[] {
  return issue.labels.map((label) => labelShape(call.world, call.repo, label));
}
