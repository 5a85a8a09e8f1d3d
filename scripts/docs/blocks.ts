// The commands in the documents: blocks of shell, and what their marks say about trying them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why a block is not run here. It is the word after `sh` in the document, which forges do not show. */
export const marks = {
  docker: 'needs Docker',
  root: 'changes the machine it runs on, as root',
  tree: 'builds, tests or serves this tree, which the tests of packages do',
  remote: 'needs another machine, a bucket or a mail server',
} as const

export type BlockMark = keyof typeof marks

/** How a block is run that is not run as it stands. */
const ways = [
  ...['stopped', 'endless', 'first', 'second'],
  ...['a', 'b', 'c', 'each', 'leader', 'others'],
] as const
type BlockWay = (typeof ways)[number]

export interface ShellBlock {
  readonly file: string
  readonly line: number
  readonly code: string
  /** Absent: it is run. */
  readonly mark?: BlockMark
  /**
   * `stopped`: while no daemon runs; `endless`: it goes on until somebody ends it. The others: on
   * one of two machines, as test/docs/standby.test.ts does, or of three, as test/journeys/cluster-docs.test.ts.
   */
  readonly way?: BlockWay
}

/** Whether it is run in one go with all documents. */
export const isTriedHere = ({ mark, way }: ShellBlock): boolean =>
  mark === undefined && (way === undefined || way === 'stopped' || way === 'endless')

const isMark = (word: string): word is BlockMark => word in marks
const isWay = (word: string): word is BlockWay => (ways as readonly string[]).includes(word)

/** The documents, each with its blocks in their order. Throws for a mark that nothing is known of. */
export function shellBlocks(root: string): readonly ShellBlock[] {
  const files = ['README.md', ...globSync('docs/{,kinds/,moving-in/}*.md', { cwd: root }).sort()]
  return files.flatMap((file) => blocksIn(file, readFileSync(join(root, file), 'utf8')))
}

function blocksIn(file: string, text: string): ShellBlock[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, indent = '', word] = /^( *)```sh(?: (\w+))?$/.exec(line) ?? []
    if (!/^ *```sh\b/.test(line)) return []
    const end = lines.indexOf(`${indent}\`\`\``, at)
    const inside = lines.slice(at + 1, end).map((one) => one.slice(indent.length))
    const block = { file, line: at + 1, code: inside.join('\n') }
    if (word === undefined) return [block]
    if (isMark(word)) return [{ ...block, mark: word }]
    if (isWay(word)) return [{ ...block, way: word }]
    throw new Error(`${file}:${at + 1}: nothing is known of the mark ${word}`)
  })
}
