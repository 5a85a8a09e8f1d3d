// The values of a YAML document. The library parses it; aliases and merge keys are followed here,
// because the library searches the whole document for each alias, and copies what a merge key names.
import type Yaml from 'yaml'
import type { Alias, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { requireLibrary } from '../../base/assets.ts'
import { clip } from '../../base/clip.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { limits } from '../limits/limits.ts'
import { ForeignFileRefused } from './foreign.ts'
import { createValueCount, type ValueCount } from './value-count.ts'

/** YAML over the API: to parse it takes 1 to 2 ms and up to half a megabyte for a KiB. */
export const foreignYamlCharsMax = 128 * 1024

/** Throws ForeignFileRefused. */
export function yamlValues(text: string): unknown {
  const library = requireLibrary('yaml') as typeof Yaml
  const lines = new library.LineCounter()
  const document = library.parseDocument(text, {
    lineCounter: lines,
    logLevel: 'silent',
    prettyErrors: false,
    merge: false,
    // The check for unique keys compares each key with all before it.
    uniqueKeys: false,
  })
  const [problem] = document.errors
  if (problem) {
    // The parser calls itself for what is nested, and reports a full stack as an error of the text.
    if (problem.message.includes('call stack')) throw new ForeignFileRefused('is nested too deeply')
    const { line, col } = lines.linePos(problem.pos[0])
    throw new ForeignFileRefused(`is not YAML: line ${line}, column ${col}: ${problem.message}`)
  }
  return createReader(library).read(document.contents)
}

/** What an anchor names, and how much each alias of it counts. */
interface Anchored extends ValueCount {
  readonly value: unknown
}

type NamedValue = readonly [name: string, value: unknown]

/** Values that aliases stand for: so many in any file, or so many times the values that the file spells. */
const foreignAliasedMin = 10_000
const foreignAliasedTimes = 10

function createReader({ isAlias, isMap, isPair, isScalar, isSeq }: typeof Yaml) {
  const count = createValueCount(', with what each alias stands for')
  /** By anchor, the last one of its name; undefined while what it names is being read. */
  const anchored = new Map<string, Anchored | undefined>()
  let aliased = 0

  function readAlias({ source }: Alias): unknown {
    const found = anchored.get(source)
    if (found) {
      aliased += found.values
      count.add(found)
      return found.value
    }
    const what = anchored.has(source) ? 'what it is part of' : 'nothing'
    throw new ForeignFileRefused(`has an alias of ${what}: *${clip(source, limits.nameCharsMax)}`)
  }

  function readNode(node: unknown, depth: number): unknown {
    if (isAlias(node)) return readAlias(node)
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined
    if (anchor === undefined) return readContent(node, depth)
    anchored.set(anchor, undefined)
    const before = count.sum()
    const value = readContent(node, depth)
    const { values, chars } = count.sum()
    anchored.set(anchor, { values: values - before.values, chars: chars - before.chars, value })
    return value
  }

  const isCollection = (node: unknown): node is YAMLMap | YAMLSeq => isMap(node) || isSeq(node)

  function readContent(node: unknown, depth: number): unknown {
    if (isScalar(node)) return readScalar(node.value)
    count.add({ values: 1, chars: 0 })
    if (isMap(node)) return readMap(node, count.deeper(depth))
    if (!isSeq(node)) return null
    const inside = count.deeper(depth)
    // A list of YAML 1.1 may have pairs.
    return node.items.map((item) =>
      isPair(item) ? Object.fromEntries([readPair(item, inside)]) : readNode(item, inside),
    )
  }

  /** What no JSON has, such as a time or bytes, is text. */
  function readScalar(value: unknown): string | number | boolean | null {
    const isPlain = value === null || typeof value === 'boolean' || typeof value === 'number'
    const read = isPlain ? value : String(value)
    count.add({ values: 1, chars: typeof read === 'string' ? read.length : 0 })
    return read
  }

  function readPair({ key, value }: Pair, depth: number): NamedValue {
    const name = readNode(key, depth)
    if (typeof name === 'object' && name !== null) {
      throw new ForeignFileRefused('must have texts as keys')
    }
    return [String(name ?? ''), readNode(value, depth)]
  }

  /** A key of the map itself outweighs one of a merged map, and an earlier merged map a later one. */
  function readMap(map: YAMLMap, depth: number): unknown {
    const own: NamedValue[] = []
    const merged: object[][] = []
    for (const pair of map.items) {
      if (isMergeKey(pair)) merged.push(mergedMaps(pair, depth))
      else own.push(readPair(pair, depth))
    }
    if (merged.length === 0) return Object.fromEntries(own)
    const lower = merged.flat().toReversed().flatMap(Object.entries)
    return Object.fromEntries([...lower, ...own])
  }

  function isMergeKey({ key }: Pair): boolean {
    return isScalar(key) && key.type === 'PLAIN' && key.source === '<<'
  }

  /** Their entries are copied, and are among the values that were counted for the alias. */
  function mergedMaps({ value }: Pair, depth: number): object[] {
    const found = readNode(value, depth)
    const maps: readonly unknown[] = Array.isArray(found) ? found : [found]
    if (maps.every(isRecord)) return [...maps]
    throw new ForeignFileRefused('merges something that is no map (<<)')
  }

  return {
    read(contents: unknown): unknown {
      const value = readNode(contents, 0)
      const spelled = count.sum().values - aliased
      const most = Math.max(foreignAliasedMin, foreignAliasedTimes * spelled)
      if (aliased > most) {
        throw new ForeignFileRefused(`has aliases for ${aliased} values: at most ${most} are read`)
      }
      return value
    },
  }
}
