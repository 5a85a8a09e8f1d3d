// What `$ref` leads to inside one document (RFC 6901); other documents are not read.
import { clip } from '../../../base/clip.ts'
import { type ForeignFields, fieldsOf } from '../../imports/foreign.ts'
import { limits } from '../../limits/limits.ts'
import type { Draft } from './draft.ts'

/** LocalReferences that lead to references. */
const hopsMax = 10

export interface LocalReferences {
  /** The object, or what its reference leads to. */
  readonly resolved: (value: unknown) => ForeignFields
  /** What a local reference leads to; undefined if there is nothing. */
  readonly target: (reference: string) => unknown
}

export function referencesIn(document: ForeignFields, draft: Draft): LocalReferences {
  function target(reference: string): unknown {
    const [, pointer] = /^#(\/.*)?$/s.exec(reference) ?? []
    if (pointer === undefined) {
      const shown = clip(reference, limits.quotedCharsMax)
      draft.note(`the reference ${shown} is left out: it leads out of the document`)
      return undefined
    }
    let found: unknown = document
    for (const part of pointer.split('/').slice(1)) {
      const key = unescaped(part).replaceAll('~1', '/').replaceAll('~0', '~')
      const owner: object = typeof found === 'object' && found !== null ? found : {}
      found = Object.hasOwn(owner, key) ? (owner as ForeignFields)[key] : undefined
    }
    return found
  }
  return {
    target,
    resolved(value) {
      let found = fieldsOf(value)
      for (let hops = 0; hops < hopsMax && typeof found.$ref === 'string'; hops += 1) {
        found = fieldsOf(target(found.$ref))
      }
      return found
    },
  }
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
