/** The frame of every page. */

const STYLE =
  "body{font:16px/1.5 system-ui;max-width:48rem;margin:2rem auto;padding:0 1rem}article{border:1px solid #ccc;border-radius:6px;margin:1rem 0;padding:0 1rem}h2{font-size:1rem}pre{white-space:pre-wrap;font:inherit}";

/** A whole page. `body` is HTML, the title is text. */
export function html(title: string, body: string): Response {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style><h1>${escape(title)}</h1>${body}</html>`;
  return new Response(text, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      // Bodies are other people's text: even an escape forgotten here must not run.
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}

/** Text as HTML, also inside attributes. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
