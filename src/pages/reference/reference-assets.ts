// The style sheet and the script of the reference: each under its own hash.
import { createHash } from 'node:crypto'
import { readAsset } from '../../base/assets.ts'

export interface ReferenceAsset {
  /** Changes with the content, so copies may be cached forever. */
  readonly path: string
  readonly contentType: string
  readonly content: Buffer
}

/** Reads both files. */
export function readReferenceAssets() {
  return {
    css: assetOf('css', 'text/css; charset=utf-8'),
    script: assetOf('js', 'text/javascript; charset=utf-8'),
  }
}

function assetOf(ending: string, contentType: string): ReferenceAsset {
  const content = readAsset(`pages/reference/reference.${ending}`)
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { path: `/assets/reference.${hash}.${ending}`, contentType, content }
}
