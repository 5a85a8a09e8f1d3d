// The files of a folder as one configuration, as Gatus merges them (github.com/TwiN/deepmerge).

import { clip } from '../../../base/clip.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import { limits } from '../../limits/limits.ts'
import { ForeignFileRefused, fieldsOf } from '../foreign.ts'

export interface NamedConfig {
  readonly name: string
  readonly config: unknown
}

/** Maps become one, lists follow each other. Throws ForeignFileRefused if another value is there twice. */
export function merged(configs: readonly NamedConfig[]): unknown {
  let all: unknown = {}
  for (const [index, { name, config }] of configs.entries()) {
    const onTwice = (way: readonly string[]) => {
      const before = configs.slice(0, index).find((one) => isSet(one.config, way))
      const what = clip(way.join('.'), limits.nameCharsMax)
      const both = `sets ${what} in ${before?.name} and in ${name}`
      const rule = 'Gatus refuses that, so import each configuration apart'
      throw new ForeignFileRefused(`${both}: ${rule}`)
    }
    all = mergedMaps(all, fieldsOf(config), [], onTwice)
  }
  return all
}

function mergedMaps(
  all: unknown,
  more: Readonly<Record<string, unknown>>,
  way: readonly string[],
  onTwice: (way: readonly string[]) => void,
): unknown {
  const values = new Map(Object.entries(fieldsOf(all)))
  for (const [name, value] of Object.entries(more)) {
    const before = values.get(name)
    if (!values.has(name)) values.set(name, value)
    else if (isRecord(value) && isRecord(before)) {
      values.set(name, mergedMaps(before, value, [...way, name], onTwice))
    } else if (Array.isArray(value) && Array.isArray(before)) {
      values.set(name, [...before, ...value])
    } else if (Array.isArray(value)) values.set(name, value)
    else onTwice([...way, name])
  }
  return Object.fromEntries(values)
}

function isSet(config: unknown, way: readonly string[]): boolean {
  let value = config
  for (const name of way) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return true
}
