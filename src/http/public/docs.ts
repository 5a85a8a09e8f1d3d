// Serves the OpenAPI document, its reference, and the pages that explain problems. Everything comes
// from this service, so it works without the internet.

import { type FaultCode, faults } from '../../base/fault.ts'
import { type Html, toText } from '../../pages/html.ts'
import type { OpenApi } from '../../pages/reference/openapi-types.ts'
import { operationPage } from '../../pages/reference/operation-page.ts'
import { overviewPage } from '../../pages/reference/overview-page.ts'
import {
  type ExplainedProblem,
  problemPage,
  problemsPage,
} from '../../pages/reference/problem-pages.ts'
import { type ReferenceAsset, readReferenceAssets } from '../../pages/reference/reference-assets.ts'
import { missingPage, referencePolicy } from '../../pages/reference/reference-frame.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { problemExample } from '../openapi/openapi-problems.ts'
import { problemGuide } from '../output/problem-guide.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'
import type { Route } from '../routing/route.ts'
import { immutable, type Kept, kept, keptOnce, replyWithKept } from './kept-content.ts'

export interface DocsDeps {
  readonly routes: readonly Route[]
  readonly baseUrl: string
  /** The version of the program. */
  readonly version: string
}

export function docsRoutes({ routes, baseUrl, version }: DocsDeps): readonly RawRoute[] {
  const assets = readReferenceAssets()
  const paths = { css: assets.css.path, script: assets.script.path }
  const problems = explainedProblems()
  let text: string | undefined
  const documentText = () => {
    text ??= JSON.stringify(openApiDocument(routes, { baseUrl, version }))
    return text
  }
  // Its objects are large, and a page is made once: they stay until memory is tidied.
  let parsed: WeakRef<OpenApi> | undefined
  const api = (): OpenApi => {
    const known = parsed?.deref()
    if (known !== undefined) return known
    const read: OpenApi = JSON.parse(documentText())
    parsed = new WeakRef(read)
    return read
  }
  const names = new Set(routes.map(({ name }) => name))

  const document = keptOnce(documentText)
  const docs = keeper((name) => {
    if (name === '') return textOf(overviewPage(api(), paths))
    return names.has(name) ? textOf(operationPage(api(), name, paths)) : undefined
  })
  const explained = keeper((code) => {
    if (code === '') return textOf(problemsPage(problems, paths))
    const problem = problems.find((one) => one.code === code)
    return problem && textOf(problemPage(problem, paths))
  })
  const missing: RawReply = {
    status: 404,
    head: rawHead(htmlHeaders),
    body: toText(missingPage(paths)),
  }
  return [
    {
      ...shared,
      name: 'api/v1/openapi.json',
      path: '/api/v1/openapi.json',
      rate: 'api',
      handle: (request) => replyWithKept(request, document(), documentHeaders),
    },
    pageRoute('docs', '/docs', docs, missing),
    pageRoute('docs.operation', '/docs/:name', docs, missing),
    pageRoute('problems', '/problems', explained, missing),
    pageRoute('problems.one', '/problems/:name', explained, missing),
    assetRoute('docs.css', assets.css),
    assetRoute('docs.script', assets.script),
  ]
}

type Keeper = (name: string) => Promise<Kept> | undefined

/** Makes each text once, when it is first asked for. There are only as many as `make` knows. */
function keeper(make: (name: string) => string | undefined): Keeper {
  const known = new Map<string, Promise<Kept>>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const text = make(name)
    if (text === undefined) return undefined
    const loading = kept(Buffer.from(text))
    known.set(name, loading)
    return loading
  }
}

const textOf = (page: Html | undefined) => page && toText(page)

const shared = { rate: 'page', headers: ['accept-encoding', 'if-none-match'] } as const

const commonHeaders = [
  ['Vary', 'Accept-Encoding'],
  ['Referrer-Policy', 'no-referrer'],
] as const

const documentHeaders = [
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'no-cache'],
  ...commonHeaders,
] as const

const htmlHeaders = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-cache'],
  ['Content-Security-Policy', referencePolicy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ...commonHeaders,
] as const

function pageRoute(name: string, path: string, pages: Keeper, missing: RawReply): RawRoute {
  return {
    ...shared,
    name,
    path,
    isForPeople: true,
    handle(request) {
      const page = pages(request.params.name ?? '')
      return page === undefined ? missing : replyWithKept(request, page, htmlHeaders)
    },
  }
}

function assetRoute(name: string, { path, contentType, content }: ReferenceAsset): RawRoute {
  const asset = keptOnce(() => content.toString())
  const headers = [['Content-Type', contentType], immutable, ...commonHeaders] as const
  const handle = (request: RawRequest) => replyWithKept(request, asset(), headers)
  return { ...shared, rate: 'asset', name, path, handle }
}

// Object.keys loses the type of the codes.
function explainedProblems(): readonly ExplainedProblem[] {
  return (Object.keys(faults) as FaultCode[]).map((code) => ({
    code,
    ...faults[code],
    ...problemGuide[code],
    example: problemExample(code),
  }))
}
