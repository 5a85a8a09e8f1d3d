// Serves the console: one document for every address below /app, and the files that it loads.

import {
  consoleAssets,
  consoleFilePolicy,
  consolePolicy,
  readConsole,
} from '../../pages/console/console-document.ts'
import { html, toText } from '../../pages/html.ts'
import { type RawReply, type RawRoute, rawHead } from '../routing/raw-route.ts'
import { immutable, type Kept, keptOnce, replyWithKept } from './kept-content.ts'

export interface ConsoleDeps {
  /** Hosts that belong to status pages have no console. */
  readonly isOwnHost: (host: string) => boolean
}

const shared = { rate: 'page', headers: ['accept-encoding', 'if-none-match'] } as const

const documentHeaders = [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Cache-Control', 'no-cache'],
  ['Content-Security-Policy', consolePolicy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Referrer-Policy', 'same-origin'],
  ['Vary', 'Accept-Encoding'],
] as const

const missing: RawReply = { status: 404, head: rawHead([]), body: 'There is no such file.\n' }

const notBuilt: RawReply = {
  status: 503,
  head: rawHead([]),
  body: 'The console was not built: npm ci && npm run build, then start again.\n',
}

export function consoleRoutes({ isOwnHost }: ConsoleDeps): readonly RawRoute[] {
  // Read when it is first asked for: most starts of the daemon never need it.
  let known: ReturnType<typeof readConsole>
  const built = () => {
    known ??= readConsole()
    return known
  }
  const document = keptOnce(() => toText(built()?.document ?? html``))
  const overview = keptOnce(() => toText(built()?.overview ?? html``))
  const files = new Map<string, () => Promise<Kept>>()

  function fileOf(name: string): (() => Promise<Kept>) | undefined {
    const before = files.get(name)
    if (before) return before
    const text = built()?.file(name)
    if (text === undefined) return undefined
    const content = keptOnce(() => text)
    files.set(name, content)
    return content
  }

  const page = (name: string, path: string, content: () => Promise<Kept>): RawRoute => ({
    ...shared,
    name,
    path,
    isForPeople: true,
    handle(request) {
      if (!isOwnHost(request.host)) return missing
      return built() ? replyWithKept(request, content(), documentHeaders) : notBuilt
    },
  })

  return [
    page('app', '/app', overview),
    page('app.page', '/app/*', document),
    {
      ...shared,
      rate: 'asset',
      name: 'app.file',
      path: `${consoleAssets}/:file`,
      handle(request) {
        const { file = '' } = request.params
        const content = fileOf(file)
        if (!content) return missing
        const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
        return replyWithKept(request, content(), [
          ['Content-Type', `${type}; charset=utf-8`],
          ['Content-Security-Policy', consoleFilePolicy],
          immutable,
          ['Vary', 'Accept-Encoding'],
        ])
      },
    },
  ]
}
