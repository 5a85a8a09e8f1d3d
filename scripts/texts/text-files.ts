// Reads the files of src/texts: each text with its parameters, and what is wrong with it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part, TextTree } from '../../src/texts/message.ts'
import { parseMessage } from '../../src/texts/parse-message.ts'

export const folder = join(import.meta.dirname, '../../src/texts')

export interface TextFile {
  readonly language: string
  /** The path of the file in the folder of its language, such as `channels`. */
  readonly area: string
  readonly tree: TextTree<string>
  /** Texts by their path, such as `labels.cause`. */
  readonly texts: ReadonlyMap<string, string>
}

/** All files but those of the languages themselves. `from` is the folder of the languages. */
export function readTextFiles(from = folder): TextFile[] {
  const paths = globSync('*/**/*.json', { cwd: from }).sort()
  return paths.flatMap((path) => {
    const [, language = '', area = ''] = /^([^/]+)\/(.+)\.json$/.exec(path) ?? []
    if (area === 'language') return []
    const tree = JSON.parse(readFileSync(join(from, path), 'utf8'))
    return [{ language, area, tree, texts: new Map(textsIn(tree, '')) }]
  })
}

function textsIn(tree: TextTree<string>, prefix: string): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([name, node]): [string, string][] => {
    if (name.startsWith('@')) return []
    return typeof node === 'string' ? [[prefix + name, node]] : textsIn(node, `${prefix}${name}.`)
  })
}

/** The type of each parameter of a text. */
export function parametersOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (part: Part): void => {
    if (typeof part === 'string') return
    if (part.by !== undefined || !found.has(part.name)) found.set(part.name, typeOf(part))
    if ('cases' in part) for (const parts of Object.values(part.cases)) parts.forEach(visit)
  }
  parseMessage(text).forEach(visit)
  return found
}

function typeOf(part: Exclude<Part, string>): string {
  // It is shown as it is given.
  if (part.by === undefined) return 'string | number'
  return part.by === 'select'
    ? Object.keys(part.cases)
        .map((word) => `'${word}'`)
        .join(' | ')
    : 'number'
}
