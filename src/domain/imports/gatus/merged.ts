// The files of a folder as one configuration, as Gatus merges them (github.com/TwiN/deepmerge).

import { clip } from '../../../base/clip.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import { limits } from '../../limits/limits.ts'
import { ForeignFileRefused } from '../foreign.ts'

/** Maps become one, lists follow each other. Throws ForeignFileRefused if another value is there twice. */
export function merged(configs: readonly unknown[]): unknown {
  return configs.reduce((all, one) => mergedMaps(all, isRecord(one) ? one : {}, ''), {})
}

function mergedMaps(all: unknown, more: Readonly<Record<string, unknown>>, place: string): unknown {
  const values = new Map(Object.entries(isRecord(all) ? all : {}))
  for (const [name, value] of Object.entries(more)) {
    const here = place === '' ? name : `${place}.${name}`
    const before = values.get(name)
    if (!values.has(name)) values.set(name, value)
    else if (isRecord(value) && isRecord(before)) {
      values.set(name, mergedMaps(before, value, here))
    } else if (Array.isArray(value) && Array.isArray(before)) {
      values.set(name, [...before, ...value])
    } else if (Array.isArray(value)) values.set(name, value)
    else {
      const what = clip(here, limits.nameCharsMax)
      throw new ForeignFileRefused(`sets ${what} in two files, which Gatus refuses`)
    }
  }
  return Object.fromEntries(values)
}
