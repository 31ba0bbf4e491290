/** Prompt files are bundled as text: by wrangler's rule for the Worker, by the test configuration for tests. */
declare module "*.md" {
  const text: string;
  export default text;
}
