/** Labels of a repository and of its threads. */
import type { Author, Issue, Label, Repository } from "../state/model.ts";
import { emit, emitThread } from "../webhooks/emit.ts";
import { labelShape } from "../shapes/issue.ts";
import type { World } from "../world.ts";
import { note } from "./note.ts";

/** GitHub's colour for labels made by naming them on an issue. */
const UNCOLOURED = "ededed";

export function createLabel(
  world: World,
  repo: Repository,
  by: Author,
  label: {
    readonly name: string;
    readonly color?: string | undefined;
    readonly description?: string | null | undefined;
  },
): Label {
  const made: Label = {
    id: world.ids.next("label"),
    name: label.name,
    color: (label.color ?? UNCOLOURED).replace(/^#/, ""),
    description: label.description ?? null,
  };
  repo.labels.set(label.name.toLowerCase(), made);
  emit(world, repo, by, "label", "created", { label: labelShape(world, repo, made) });
  return made;
}

export function editLabel(
  world: World,
  repo: Repository,
  by: Author,
  label: Label,
  edit: {
    readonly name?: string | undefined;
    readonly color?: string | undefined;
    readonly description?: string | null | undefined;
  },
): void {
  const changes: Record<string, { from: string }> = {};
  if (edit.name !== undefined && edit.name !== label.name) {
    changes["name"] = { from: label.name };
    repo.labels.delete(label.name.toLowerCase());
    label.name = edit.name;
    repo.labels.set(edit.name.toLowerCase(), label);
  }
  if (edit.color !== undefined && edit.color !== label.color) {
    changes["color"] = { from: label.color };
    label.color = edit.color.replace(/^#/, "");
  }
  if (edit.description !== undefined && edit.description !== label.description) {
    changes["description"] = { from: label.description ?? "" };
    label.description = edit.description;
  }
  emit(world, repo, by, "label", "edited", { label: labelShape(world, repo, label), changes });
}

export function deleteLabel(world: World, repo: Repository, by: Author, label: Label): void {
  repo.labels.delete(label.name.toLowerCase());
  for (const issue of repo.issues.values()) issue.labels = issue.labels.filter((one) => one !== label);
  emit(world, repo, by, "label", "deleted", { label: labelShape(world, repo, label) });
}

/** Puts labels on a thread, making those the repository lacks. A label already there is no event. */
export function addLabels(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  names: readonly string[],
): void {
  for (const name of names) {
    const label = repo.labels.get(name.toLowerCase()) ?? createLabel(world, repo, by, { name });
    if (issue.labels.includes(label)) continue;
    issue.labels.push(label);
    note(world, issue, by, "labeled", { label });
    emitThread(world, repo, issue, by, "labeled", { label: labelShape(world, repo, label) });
  }
}

/** False when the thread does not carry the label. */
export function removeLabel(world: World, repo: Repository, issue: Issue, by: Author, name: string): boolean {
  const label = issue.labels.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (label === undefined) return false;
  issue.labels = issue.labels.filter((one) => one !== label);
  note(world, issue, by, "unlabeled", { label });
  emitThread(world, repo, issue, by, "unlabeled", { label: labelShape(world, repo, label) });
  return true;
}

/** Makes the thread carry exactly these labels. */
export function setLabels(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  names: readonly string[],
): void {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const leaving = issue.labels.filter((label) => !wanted.has(label.name.toLowerCase()));
  for (const label of leaving) removeLabel(world, repo, issue, by, label.name);
  addLabels(world, repo, issue, by, names);
}
