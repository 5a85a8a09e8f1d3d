// The page of one operation: parameters, body, answers, a command to copy, and a form to try it.
import { type Html, html } from '../html.ts'
import { fieldsOf, typeOf } from './fields.ts'
import {
  type OpenApi,
  type OpenApiAnswer,
  type OpenApiContent,
  operationsOf,
  type Parameter,
  type Placed,
  resolved,
} from './openapi-types.ts'
import { operationList } from './overview-page.ts'
import { inline, prose } from './prose.ts'
import { type ReferencePaths, referenceFrame } from './reference-frame.ts'

/** Undefined if the document has no operation of this name. */
export function operationPage(api: OpenApi, name: string, paths: ReferencePaths): Html | undefined {
  const all = operationsOf(api)
  const one = all.find(({ operation }) => operation.operationId === name)
  if (!one) return undefined
  const { method, path, operation } = one
  const { summary, description, parameters, requestBody, responses, tags } = operation
  const [tag = ''] = tags
  const siblings = all.filter((other) => other.operation.tags.includes(tag) && other !== one)
  const body = html`<main class="reference">
<p class="facts"><a href="${`/docs#${tag}`}">${tag}</a> / ${name}</p>
<h1>${summary}</h1>
<p class="place"><span class="method is-${method.toLowerCase()}">${method}</span> \
<code>${path}</code></p>
${prose(description)}\
${contentsOf(operation)}\
${parameters.length > 0 && html`<h2 id="parameters">Parameters</h2>\n<ul class="fields">${parameters.map(parameterOf)}</ul>\n`}\
${requestBody && bodyOf(requestBody, api)}\
<h2 id="curl">With curl</h2>
<pre data-copy>${curlCommand(one, api.servers[0]?.url ?? '')}</pre>
${tryForm(one)}\
<h2 id="answers">Answers</h2>
${Object.entries(responses).map(([status, answer]) => answerOf(status, answer, api))}\
${
  siblings.length > 0 &&
  html`<nav aria-label="More about ${tag}"><h2>More about ${tag}</h2>
${operationList(siblings)}</nav>`
}</main>`
  return referenceFrame(`${summary} · ${api.info.title} API`, body, paths)
}

function contentsOf({ parameters, requestBody }: Placed['operation']): Html {
  return html`<nav class="contents" aria-label="On this page">\
${parameters.length > 0 && html`<a href="#parameters">Parameters</a>\n`}\
${requestBody && html`<a href="#body">Body</a>\n`}\
<a href="#curl">With curl</a>
<a href="#try" hidden>Try it</a>
<a href="#answers">Answers</a></nav>
`
}

function parameterOf({ name, in: place, description, required, schema }: Parameter): Html {
  return html`<li><div><code class="name">${name}</code> \
<span class="type">${place}, ${typeOf(schema)}</span>\
${required && html` <strong>required</strong>`}</div>
${description !== undefined && prose(description)}</li>
`
}

function bodyOf(
  { description = '', content }: NonNullable<Placed['operation']['requestBody']>,
  api: OpenApi,
) {
  const [first] = Object.values(content)
  return html`<h2 id="body">Body</h2>
<p>${Object.keys(content).map((type, at) => html`${at > 0 && ', or '}<code>${type}</code>`)}. \
${description}</p>
${first && exampleOf(first)}${first?.schema && fieldsOf(resolved(first.schema, api))}`
}

function exampleOf({ example }: OpenApiContent): Html | undefined {
  if (example === undefined) return undefined
  return html`<h3>Example</h3>\n<pre data-copy>${jsonText(example)}</pre>\n<h3>Fields</h3>\n`
}

function answerOf(status: string, given: OpenApiAnswer, { components }: OpenApi): Html {
  const shared = given.$ref?.split('/').at(-1)
  const answer = shared === undefined ? given : (components.responses[shared] ?? given)
  const { description = '', headers = {}, content = {} } = answer
  const problems = Object.entries(content['application/problem+json']?.examples ?? {})
  const types = Object.keys(content)
  if (problems.length > 0) {
    return html`<h3>${status}</h3>\n${problems.map(([code, { summary, value }]) =>
      problemOf(code, summary, value),
    )}`
  }
  const schema = content['application/json']?.schema
  const fields = schema && fieldsOf(schema)
  return html`<h3>${status}</h3>
${prose(description)}\
${types.length > 0 && html`<p>${types.map((type, at) => html`${at > 0 && ', or '}<code>${type}</code>`)}</p>\n`}\
${fields && html`<details><summary>Fields of the answer</summary>\n${fields}</details>\n`}\
${
  Object.keys(headers).length > 0 &&
  html`<details><summary>Headers</summary>\n<ul class="fields">\
${Object.entries(headers).map(([name, { $ref }]) => {
  const key = $ref.split('/').at(-1) ?? ''
  return html`<li><code class="name">${name}</code> ${inline(components.headers[key]?.description ?? '')}</li>\n`
})}</ul></details>\n`
}`
}

function problemOf(code: string, title: string, value: unknown): Html {
  return html`<details><summary><code>${code}</code> ${title}</summary>
<p><a href="${`/problems/${code}`}">What it means, and what to do</a></p>
<pre>${jsonText(value)}</pre></details>
`
}

/** Shown by the script, without which it would do nothing. */
function tryForm({ method, path, operation }: Placed): Html {
  const { parameters, requestBody, security } = operation
  const [body] = Object.entries(requestBody?.content ?? {})
  const takesKey = security.some((one) => 'apiKey' in one || 'bearer' in one)
  const takesOrg = parameters.some(({ name }) => name === 'orgId')
  return html`<section class="try" hidden data-method="${method}" data-path="${path}">
<h2 id="try">Try it</h2>
<p>The request goes to this service and does what it says. \
${takesKey && 'Without a key, the session of this browser is used, if there is one. '}\
${takesOrg && html`The <a href="/">start page</a> shows the id of your organization. `}\
Ids and the key stay in this tab until it is closed.</p>
<form>
${takesKey && field('API key', 'key', 'password', '')}\
${parameters.map(({ name, in: place, required, schema }) =>
  field(
    `${name} (${place}${required ? ', required' : ''})`,
    `${place}.${name}`,
    'text',
    typeOf(schema),
  ),
)}\
${
  body &&
  html`<label>Body<textarea name="body" rows="12" spellcheck="false" \
data-type="${body[0]}">${jsonText(body[1].example ?? {})}</textarea></label>\n`
}\
<p><button type="submit">Send</button> <button type="button" data-stop hidden>Stop</button></p>
</form>
<div data-answer hidden><h3>Answer</h3>
<p role="status"></p>
<pre data-body></pre></div></section>
`
}

function field(label: string, name: string, type: string, hint: string): Html {
  return html`<label>${label}<input type="${type}" name="${name}" autocomplete="off" \
autocapitalize="none" spellcheck="false" placeholder="${hint}"></label>\n`
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** A command for a shell: what the caller has to fill in are variables, such as `$ORG`. */
export function curlCommand({ method, path, operation }: Placed, baseUrl: string): string {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  const [body] = Object.entries(operation.requestBody?.content ?? {})
  const example = body?.[1].example
  const parts = [
    method === 'GET' ? 'curl -sS' : `curl -sS -X ${method}`,
    ...credentialOf(operation.security),
    ...(example === undefined
      ? []
      : [`-H 'content-type: ${body?.[0]}'`, `-d ${quoted(JSON.stringify(example))}`]),
    `"${baseUrl}${place}"`,
  ]
  return parts.join(' \\\n  ')
}

/** `orgId` is ORG, as in the first steps; `monitorId` is MONITOR_ID. */
function variableOf(name: string): string {
  if (name === 'orgId') return 'ORG'
  return name.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()
}

function credentialOf(security: Placed['operation']['security']): string[] {
  const schemes = security.flatMap((one) => Object.keys(one))
  if (schemes.includes('apiKey')) return ['-H "x-api-key: $KEY"']
  if (schemes.includes('sessionHeader')) return ['-H "auth-token: $SESSION"']
  if (schemes.includes('bearer')) return ['-H "authorization: Bearer $SYSTEM_TOKEN"']
  return schemes.includes('session') ? ['-b stillup.cookies'] : []
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
