// The first page of the reference: how to call the API, and all operations by subject.
import { type Html, html } from '../html.ts'
import { type OpenApi, operationsOf, type Placed } from './openapi-types.ts'
import { inline, prose } from './prose.ts'
import { type ReferencePaths, referenceFrame } from './reference-frame.ts'

export function overviewPage(api: OpenApi, paths: ReferencePaths): Html {
  const { info, tags, servers } = api
  const all = operationsOf(api)
  const base = servers[0]?.url ?? ''
  const body = html`<main class="reference">
<h1>${info.title} API</h1>
<p class="facts">API ${info.version} · program ${info['x-program-version']} · \
${all.length} operations</p>
${prose(info.description)}\
<h2 id="calling">How to call it</h2>
<ul>
<li>The base address is <code>${base}</code>. Bodies are JSON, with \
<code>Content-Type: application/json</code>.</li>
<li>Programs send an API key: <code>x-api-key: $KEY</code> or \
<code>Authorization: Bearer $KEY</code>. Browsers send the cookie <code>auth-token</code> of a \
session. Making keys, inviting and changing roles takes a session.</li>
<li>A list answers <code>meta.nextCursor</code>: send it as <code>cursor</code> for the next page. \
<code>limit</code> is 1 to 200.</li>
<li>A creation with an <code>Idempotency-Key</code> may be repeated for a day: it is done once, and \
every repetition gets the same answer.</li>
<li>A change with <code>If-Match</code> and the <code>ETag</code> that was read is refused if \
somebody else changed the object meanwhile.</li>
<li>A refusal is a problem document. <a href="/problems">Every code is explained</a>.</li>
</ul>
<pre data-copy>curl -sS -H "x-api-key: $KEY" "${base}/api/v1/orgs/$ORG/monitors"</pre>
<h2 id="operations">Operations</h2>
<p class="filter" hidden><label for="filter">Find an operation</label>
<input id="filter" type="search" autocomplete="off" placeholder="monitors, PATCH, webhook"></p>
<p id="found" class="facts" role="status"></p>
${tags.map((tag) => groupOf(tag, all))}</main>`
  return referenceFrame(`${info.title} API`, body, paths)
}

function groupOf(
  { name, description = '' }: OpenApi['tags'][number],
  all: readonly Placed[],
): Html {
  const own = all.filter(({ operation }) => operation.tags.includes(name))
  return html`<section data-group><h3 id="${name}">${name}</h3>
<p>${inline(description)}</p>
${operationList(own)}</section>
`
}

/** Links to operations, with their method and path. */
export function operationList(operations: readonly Placed[]): Html {
  return html`<ul class="operations">${operations.map(
    ({ method, path, operation: { operationId, summary } }) => html`<li>\
<a href="${`/docs/${operationId}`}">${summary}</a>
<span class="place"><span class="method is-${method.toLowerCase()}">${method}</span> \
<code>${path}</code></span></li>\n`,
  )}</ul>\n`
}
