// The frame of the reference's pages: header, styles, the script, and their HTTP headers.
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** The paths of the style sheet and the script. */
export interface ReferencePaths {
  readonly css: string
  readonly script: string
}

/** Everything comes from this service; the script may call it, and no form is sent anywhere. */
export const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function referenceFrame(title: string, body: Html, { css, script }: ReferencePaths): Html {
  return frame({
    title,
    isIndexed: false,
    head: html`<link rel="stylesheet" href="${css}">
<script src="${script}" defer></script>`,
    body: html`<header class="top"><a class="brand" href="/">stillup</a>
<nav aria-label="Reference"><a href="/guide">Guide</a>
<a href="/docs">API reference</a>
<a href="/problems">Problems</a>
<a href="/api/v1/openapi.json">OpenAPI document</a></nav></header>
${body}`,
  })
}

/** The page for an address below /docs or /problems that leads to nothing. */
export function missingPage(paths: ReferencePaths): Html {
  const body = html`<main class="reference">
<h1>There is no such page</h1>
<p>See <a href="/docs">all operations</a> or <a href="/problems">all problems</a>.</p></main>`
  return referenceFrame('Page not found', body, paths)
}
