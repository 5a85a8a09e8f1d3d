// Prints how many lines of src/ each room has, and how many each word has over all rooms.
// Usage: npm run ledger
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '../src')

/** The largest shares of the lines, as one row each. */
function shares(lines: ReadonlyMap<string, number>, most: number): string[] {
  const sorted = [...lines].sort(([, one], [, other]) => other - one)
  const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0)
  const shown = [...sorted.slice(0, most), ...(rest === 0 ? [] : [['others', rest] as const])]
  return shown.map(([name, count]) => `${name.padEnd(24)}${String(count).padStart(7)}`)
}

function ledger(): string {
  const byRoom = new Map<string, number>()
  const byWord = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, lines: number) =>
    to.set(name, (to.get(name) ?? 0) + lines)
  for (const file of globSync('**/*.{ts,tsx}', { cwd: src })) {
    const parts = file.split('/')
    // Git ignores what a build or the type check made.
    if (['built', 'generated'].includes(parts[1] ?? '')) continue
    const lines = readFileSync(join(src, file), 'utf8').split('\n').length - 1
    add(byRoom, parts.length === 1 ? 'main' : (parts[0] ?? ''), lines)
    // `http/api/monitors/…`, `store/tables/monitors/…`, `console/pages/monitors/…`, `domain/monitors/…`
    const word = ['api', 'tables', 'pages'].includes(parts[1] ?? '') ? parts[2] : parts[1]
    if (word !== undefined && !word.includes('.')) add(byWord, word, lines)
  }
  const total = [...byRoom.values()].reduce((sum, lines) => sum + lines, 0)
  const rooms = shares(byRoom, byRoom.size)
  const words = shares(byWord, rooms.length - 1)
  const rows = rooms.map((row, at) => `${row}    ${words[at] ?? ''}`.trimEnd())
  return [`src: ${total} lines, by room and by word`, ...rows].join('\n')
}

console.log(ledger())
