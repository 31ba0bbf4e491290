/** What a bare mention is answered with: what can be asked here. */
export function helpText(slug: string): string {
  return [
    "Mention me with a question about this repository, and I answer from its files and history.",
    "Ask for a change, and I write it in a container, run the tests, and open a pull request.",
    `For example: \`@${slug} where is the retry delay computed?\` or \`@${slug} the date is off by one in March, please fix it\`.`,
  ].join("\n\n");
}
