// The check of somebody else's status page: reads what it says of its services, whichever product made it.
import { LRUCache } from 'lru-cache'
import { clip } from '../../base/clip.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import type { Steps } from '../../base/waiting/steps.ts'
import { parseJson } from '../../domain/assertions/json-value.ts'
import { limits } from '../../domain/limits/limits.ts'
import { hostOf, portOf, urlShapeProblem } from '../../net/egress-policy.ts'
import { failure } from '../../net/failure.ts'
import { textOf } from '../../net/http-client/charset.ts'
import { offersHttp2 } from '../../net/http-client/exchange-h2.ts'
import { hopTo } from '../../net/http-client/plan.ts'
import { isRedirect, RedirectChain } from '../../net/http-client/redirect-chain.ts'
import { bodyOf, type RequestOptions, request } from '../../net/http-client/request.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import type { UrlFault } from '../run/place-url.ts'
import type { TargetAnswer } from '../run/probe-recorder.ts'
import type { ProbeRun } from '../run/probe-run.ts'
import {
  type PageComponent,
  type PageProduct,
  pageProducts,
  type ReadPage,
  type ServiceStatus,
  serviceStatuses,
  worstOf,
} from './page-documents.ts'

interface StatusPageUrl {
  /** The address of the page, without a slash at its end and without a query. */
  readonly page: URL
  /** Names or ids of the components that are watched; none: the page as a whole. */
  readonly components: readonly string[]
  readonly problem?: never
}

const watchedMax = 20
/** Pages whose product is remembered, so that their next check asks for one document. */
const pagesKept = 10_000

export const statusPage = defineKind({
  type: 'status-page',
  fields: ['connection', 'stream', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'state of the page',
  schemes: ['https', 'http'],
  family: 'web',
  icon: 'radio-tower',
  example: 'https://www.githubstatus.com/?component=API%20Requests',
  urlForm:
    '`https://status.example.com/`, the address of a status page made with Statuspage, Instatus, Better ' +
    'Stack, or this program, or of one that offers the documents of one of these. Without a query the page ' +
    'as a whole counts; `?component=API`, once or several times, names the components that count, by ' +
    'name or id. A major outage is a failure; a partial outage, degraded performance and maintenance ' +
    'are degraded.',
  finds: 'json',
  ownsQuery: true,
  typed: { schemes: [] },
  parse: parseStatusPageUrl,
  destination: ({ page }) => ({ host: hostOf(page), port: portOf(page) }),
  open() {
    const known = new LRUCache<string, PageProduct>(atMostEntries(pagesKept))
    return {
      async look(url, _target, run) {
        const { page } = url
        const remembered = known.get(page.href)
        const others = pageProducts.filter((product) => product !== remembered)
        for (const product of remembered ? [remembered, ...others] : others) {
          const read = await readBy(product, url, run)
          if (!read) continue
          known.set(page.href, product)
          return answerOf(product, read, url, run)
        }
        known.delete(page.href)
        throw new RunError(failure('invalid_response', noPageText))
      },
    }
  },
})

const noPageText =
  'no status page that we can read: it has none of the documents of Statuspage, Instatus or Better Stack'

/** Reads the address of a page with the components to watch in its query. */
export function parseStatusPageUrl(text: string): StatusPageUrl | UrlFault {
  const problem = urlShapeProblem(text)
  if (problem !== null) return { problem }
  const url = new URL(text)
  if (url.hash !== '') return { problem: 'must not contain a #' }
  const components: string[] = []
  for (const [name, value] of url.searchParams) {
    if (name !== 'component') return { problem: 'must have no parameters but component' }
    if (value.trim() === '') return { problem: 'must name a component after component=' }
    components.push(value.trim())
  }
  if (components.length > watchedMax) {
    return { problem: `must name at most ${watchedMax} components` }
  }
  const page = new URL(url.origin)
  page.pathname = withoutEndSlashes(url.pathname)
  return { page, components: [...new Set(components)] }
}

function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** What the page says; null if its product is another one. */
async function readBy(
  product: PageProduct,
  { page, components }: StatusPageUrl,
  run: ProbeRun,
): Promise<ReadPage | null> {
  const read = await documentAt(product.path, page, run, product.read)
  const { componentsPath, readComponents } = product
  if (!read || !componentsPath || !readComponents || components.length === 0) return read
  const found = await documentAt(componentsPath, page, run, readComponents)
  return { ...read, components: found ?? [] }
}

/** What servers answer where another product has its document. */
const absent: ReadonlySet<number> = new Set([400, 403, 404, 405, 410])
const redirectsMax = 5

/** What is read of a document; null if there is none, or it is another one. Throws for a page that fails. */
async function documentAt<Read>(
  path: string,
  page: URL,
  run: ProbeRun,
  read: (document: unknown) => Read | null,
): Promise<Read | null> {
  const { record } = run
  const url = new URL(page)
  url.pathname = page.pathname.replace(/\/$/, '') + path
  const chain = new RedirectChain(redirectsMax)
  let hop = hopTo(url, { method: 'GET', headers, body: null })
  let options: RequestOptions = {
    wantsBody: true,
    handshake: offersHttp2,
    onHead: ({ status }) => status === 200,
  }
  for (;;) {
    const response = await request(run, hop, options)
    const { status } = response
    const { location } = response.headers
    if (isRedirect(status) && typeof location === 'string') {
      const next = chain.follow(hop, status, location)
      if (next.failure !== undefined) throw new RunError(next.failure)
      hop = next.hop
      // The page chose the host, so a refusal does not repeat it.
      options = { ...options, subject: 'a redirect' }
      continue
    }
    if (absent.has(status)) return null
    if (status !== 200) {
      record.response = response
      throw new RunError(failure('status', `expected status 200, found ${status}`))
    }
    const bytes = await bodyOf(response)
    const contentType = String(response.headers['content-type'] ?? '')
    return record.examined(readSteps(bytes, contentType, read), bytes.length)
  }
}

function* readSteps<Read>(
  bytes: Buffer,
  contentType: string,
  read: (document: unknown) => Read,
): Steps<Read> {
  const text = textOf(bytes, contentType)
  yield
  const document = parseJson(text)
  yield
  return read(document)
}

const headers = ['user-agent', 'stillup', 'accept', 'application/json']

/** The components that are listed, the worst first: what is kept of a check has bounds. */
const listedMax = 200

function answerOf(
  product: PageProduct,
  page: ReadPage,
  { components: wanted }: StatusPageUrl,
  { record }: ProbeRun,
): TargetAnswer {
  const watched = wanted.map((name) => ({ name, found: named(page.components, name) }))
  const listed = wanted.length > 0 ? watched.flatMap(({ found }) => found) : page.components
  const ofListed = worstOf(listed.map((one) => one.status))
  const status = wanted.length > 0 ? ofListed : (page.status ?? ofListed)
  const text = JSON.stringify({
    page: page.name,
    product: product.name,
    status,
    components: listed
      .toSorted((a, b) => rankOf(b.status) - rankOf(a.status))
      .slice(0, listedMax)
      .map((one) => ({ name: one.name, status: one.status })),
    incidents: page.incidents,
  })
  const missing = watched.find(({ found }) => found.length === 0)
  if (missing) {
    record.text = text
    const name = clip(missing.name, limits.quotedCharsMax)
    throw new RunError(failure('assertion', `the page has no component named ${name}`))
  }
  // In the words of the monitor: a message repeats nothing that the page sent.
  const worst = watched.filter(({ found }) => found.some((one) => one.status === status))
  const names = worst.map(({ name }) => name).join(', ')
  const of = names === '' ? '' : `: ${clip(names, limits.quotedCharsMax)}`
  const said = `the page reports ${statusWords[status]}${of}`
  if (status === 'major_outage') {
    record.text = text
    throw new RunError(failure('reported', said))
  }
  const answer = { text, contentType: 'application/json' }
  return status === 'operational' ? answer : { ...answer, degradedBy: said }
}

const statusWords: Readonly<Record<ServiceStatus, string>> = {
  operational: 'that all is well',
  maintenance: 'maintenance',
  degraded: 'degraded performance',
  partial_outage: 'a partial outage',
  major_outage: 'a major outage',
}

const rankOf = (status: ServiceStatus) => serviceStatuses.indexOf(status)

/** Several components may have the same name, in different groups. */
function named(components: readonly PageComponent[], wanted: string): readonly PageComponent[] {
  const lower = wanted.toLowerCase()
  return components.filter(({ id, name }) => id === wanted || name.toLowerCase() === lower)
}
