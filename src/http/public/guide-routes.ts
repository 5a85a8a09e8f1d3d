// Serves the guide: the documents as pages, with their pictures and their search.

import {
  type GuideFile,
  guidePolicy,
  missingGuidePage,
  readGuide,
} from '../../pages/guide/guide-files.ts'
import { toText } from '../../pages/html.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'
import { immutable, type Kept, kept, replyWithKept } from './kept-content.ts'

const commonHeaders = [
  ['Content-Security-Policy', guidePolicy],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
] as const

const shared = {
  rate: 'page',
  isForPeople: true,
  headers: ['accept-encoding', 'if-none-match'],
} as const

const notBuilt: RawReply = {
  status: 503,
  head: rawHead([]),
  body: 'The guide was not built: npm ci && npm run build, then start again.\n',
}

export function guideRoutes(): readonly RawRoute[] {
  // Read when it is first asked for: most starts of the daemon never need it.
  let known: ReturnType<typeof readGuide>
  const contents = new Map<string, Promise<Kept>>()

  function contentOf(name: string, file: GuideFile): Promise<Kept> {
    const before = contents.get(name)
    if (before !== undefined) return before
    const content = kept(file.read())
    contents.set(name, content)
    return content
  }

  function reply(request: RawRequest, name: string) {
    known ??= readGuide()
    if (!known) return notBuilt
    const file = known.get(name)
    if (!file) return missing()
    const head = [
      ['Content-Type', file.contentType],
      file.isNamedByContent ? immutable : (['Cache-Control', 'no-cache'] as const),
      ...commonHeaders,
    ] as const
    // Its bytes are compressed in themselves, and browsers keep them.
    if (file.isPicture) return { status: 200, head: rawHead(head), body: file.read() }
    return replyWithKept(request, contentOf(name, file), [...head, ['Vary', 'Accept-Encoding']])
  }

  return [
    { ...shared, name: 'guide', path: '/guide', handle: (request) => reply(request, '') },
    { ...shared, name: 'guide.folder', path: '/guide/', handle: (request) => reply(request, '') },
    {
      ...shared,
      // Pages, too: all come from memory or are pictures beside them.
      rate: 'asset',
      name: 'guide.file',
      path: '/guide/:file',
      handle: (request) => reply(request, request.params.file ?? ''),
    },
  ]
}

function missing(): RawReply {
  const head = rawHead([['Content-Type', 'text/html; charset=utf-8'], ...commonHeaders])
  return { status: 404, head, body: toText(missingGuidePage()) }
}
