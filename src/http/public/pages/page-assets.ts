// The style sheets and the script of status pages, at every host, under names that change with them.

import { gzipSync } from 'node:zlib'
import { once } from '../../../base/per-object.ts'
import { type FontFile, fontFiles } from '../../../pages/fonts.ts'
import {
  accentStyleOf,
  lookStyles,
  type PageAsset,
  pageScript,
  pageStyle,
} from '../../../pages/status/look/page-assets.ts'
import { draftStylesPath } from '../../../services/pages/public-pages.ts'
import { codingsOf } from '../../output/codings.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../../routing/raw-route.ts'

const cache = [
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['Vary', 'Accept-Encoding'],
] as const

function repliesOf({ contentType, bytes }: PageAsset) {
  const head = [['Content-Type', contentType], ...cache] as const
  const plain: RawReply = { status: 200, head: rawHead(head), body: bytes }
  const gzip = once(
    (): RawReply => ({
      status: 200,
      head: rawHead([...head, ['Content-Encoding', 'gzip']]),
      body: gzipSync(bytes, { level: 9 }),
    }),
  )
  // Not destructured: a method of a class.
  return (request: RawRequest) =>
    codingsOf(request.header('accept-encoding')).gzip ? gzip() : plain
}

function fixedRoute(name: string, asset: PageAsset): RawRoute {
  const handle = repliesOf(asset)
  return { name, path: asset.path, rate: 'asset', headers: ['accept-encoding'], handle }
}

/**
 * Its bytes are compressed in themselves. Any origin may read it: the preview of a status page in the console
 * has none of its own.
 */
function fontRoute(file: FontFile): RawRoute {
  const head = rawHead([
    ['Content-Type', file.contentType],
    cache[0],
    ['Access-Control-Allow-Origin', '*'],
  ])
  const handle = () => ({ status: 200, head, body: file.bytes })
  return { name: `pages.font.${file.part}`, path: file.path, rate: 'asset', handle }
}

const missing: RawReply = {
  status: 404,
  head: rawHead([
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-store'],
  ]),
  body: 'Not found\n',
}

export const pageAssetRoutes: readonly RawRoute[] = [
  fixedRoute('pages.look', pageStyle),
  fixedRoute('pages.script', pageScript),
  ...lookStyles.map((style) => fixedRoute(`pages.look.${style.look}`, style)),
  ...fontFiles.map(fontRoute),
  {
    // The address is the hash of the style sheet: only somebody who has the sheet can know it.
    name: 'pages.draftStyle',
    path: `${draftStylesPath}/:file`,
    rate: 'asset',
    handle({ params }, { publicPages }) {
      const css = publicPages.draftStyle(params.file ?? '')
      if (css === undefined) return missing
      const head = rawHead([
        ['Content-Type', 'text/css; charset=utf-8'],
        ['Cache-Control', 'no-store'],
      ])
      return { status: 200, head, body: css }
    },
  },
  {
    name: 'pages.accent',
    path: '/assets/accent/:file',
    rate: 'asset',
    handle({ params }) {
      const style = accentStyleOf(params.file ?? '')
      if (!style) return missing
      const head = rawHead([['Content-Type', style.contentType], ...cache])
      return { status: 200, head, body: style.bytes }
    },
  },
]
