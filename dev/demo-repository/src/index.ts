export { initials } from "./initials.ts";
export { pluralize } from "./pluralize.ts";
export { slugify, type SlugOptions } from "./slugify.ts";
export { truncate } from "./truncate.ts";
export { wrap } from "./wrap.ts";
