// Serves the OpenAPI document and its interactive reference, which works without the internet.

import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApiDocument } from '../openapi/openapi.ts'
import { isUnchanged } from '../output/etag.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'
import type { Route } from '../routing/route.ts'

export interface DocsDeps {
  readonly routes: readonly Route[]
  readonly baseUrl: string
  /** The version of the program. */
  readonly version: string
}

/** A file of the reference. */
interface Asset {
  readonly type: string
  readonly read: () => Promise<Buffer>
}

/** The content of the file, plain and compressed. Created on the first request. */
interface LoadedAsset {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly etag: string
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>stillup API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

// validatorUrl is null, because by default Swagger UI sends the document's URL to a foreign
// service.
const script = `window.ui = SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
})
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
`

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

export function docsRoutes({ routes, baseUrl, version }: DocsDeps): readonly RawRoute[] {
  const document = () =>
    Promise.resolve(Buffer.from(JSON.stringify(openApiDocument(routes, { baseUrl, version }))))
  return [
    assetRoute('/api/v1/openapi.json', { type: 'application/json', read: document }, 'api'),
    assetRoute('/docs', textAsset('text/html; charset=utf-8', page)),
    assetRoute('/docs/reference.js', textAsset('text/javascript; charset=utf-8', script)),
    assetRoute('/docs/swagger-ui.css', packageAsset('text/css; charset=utf-8', 'swagger-ui.css')),
    assetRoute(
      '/docs/swagger-ui-bundle.js',
      packageAsset('text/javascript; charset=utf-8', 'swagger-ui-bundle.js'),
    ),
  ]
}

function textAsset(type: string, text: string): Asset {
  return { type, read: () => Promise.resolve(Buffer.from(text)) }
}

function packageAsset(type: string, file: string): Asset {
  const read = () => {
    const { resolve } = createRequire(import.meta.url)
    return readFile(join(dirname(resolve('swagger-ui-dist/package.json')), file))
  }
  return { type, read }
}

const zip = promisify(gzip)

function assetRoute(path: string, asset: Asset, rate: 'api' | 'page' = 'page'): RawRoute {
  let loading: Promise<LoadedAsset> | undefined

  async function load(): Promise<LoadedAsset> {
    const plain = await asset.read()
    const etag = `"${hash('sha1', plain, 'base64url')}"`
    return { plain, zipped: await zip(plain), etag }
  }

  async function handle(request: RawRequest): Promise<RawReply> {
    loading ??= load()
    const { plain, zipped, etag } = await loading
    const takesGzip = /\bgzip\b/.test(request.header('accept-encoding'))
    const headers: [string, string][] = [
      ['Content-Type', asset.type],
      ['Cache-Control', 'no-cache'],
      ['ETag', etag],
      ['Vary', 'Accept-Encoding'],
      ['Content-Security-Policy', policy],
      ['Referrer-Policy', 'no-referrer'],
    ]
    const ifNoneMatch = request.header('if-none-match')
    if (ifNoneMatch !== '' && isUnchanged(ifNoneMatch, etag)) {
      return { status: 304, head: rawHead(headers) }
    }
    if (takesGzip) headers.push(['Content-Encoding', 'gzip'])
    return { status: 200, head: rawHead(headers), body: takesGzip ? zipped : plain }
  }

  return {
    name: path.slice(1),
    path,
    rate,
    headers: ['accept-encoding', 'if-none-match'],
    handle,
  }
}
