/** Pages of lists, with the Link header GitHub's clients follow. */
import type { Call, Reply } from "./call.ts";

const MOST_PER_PAGE = 100;

type Page = { readonly page: number; readonly perPage: number };

/** page and per_page of a request: 1 and 30 when absent or out of range, at most 100. */
export function pageOf(call: Call, perPageDefault = 30): Page {
  const read = (name: string, otherwise: number) => {
    const value = Number(call.query(name) ?? otherwise);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  };
  return { page: read("page", 1), perPage: Math.min(read("per_page", perPageDefault), MOST_PER_PAGE) };
}

/** The asked-for page of `items`, each presented. `wrap` puts the list into an object, such as check_runs. */
export async function listReply<T extends object>(
  call: Call,
  items: readonly T[],
  present: (item: T) => unknown,
  wrap: (list: unknown[], total: number) => unknown = (list) => list,
): Promise<Reply> {
  const shown = call.visible(items);
  const page = pageOf(call);
  const from = (page.page - 1) * page.perPage;
  const list = await Promise.all(shown.slice(from, from + page.perPage).map(present));
  return { status: 200, json: wrap(list, shown.length), headers: linkHeader(call, page, shown.length) };
}

/** Link with prev, next, last and first as they apply; nothing for a single page. */
export function linkHeader(call: Call, { page, perPage }: Page, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const links: string[] = [];
  const add = (to: number, rel: string) => {
    const url = new URL(call.world.url + call.url.pathname + call.url.search);
    url.searchParams.set("page", String(to));
    links.push(`<${url.href}>; rel="${rel}"`);
  };
  if (page > 1) add(page - 1, "prev");
  if (page < last) {
    add(page + 1, "next");
    add(last, "last");
  }
  if (page > 1) add(1, "first");
  return links.length === 0 ? {} : { Link: links.join(", ") };
}
