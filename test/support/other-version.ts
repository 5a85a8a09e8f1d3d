// Another version of the program: a copy of the sources in which some are changed, run as it is.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { innerFolder } from './test-folder.ts'

const root = join(import.meta.dirname, '../..')

/** By its path in src: what is replaced, and by what. */
type Changes = Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>

/**
 * What Node runs. `added`: files that the other version has besides, by their path in src.
 * Throws if there is nothing to replace.
 */
export function otherVersion(
  t: Test,
  changes: Changes,
  added: Readonly<Record<string, string>> = {},
): string {
  const dir = innerFolder(t, 'version')
  const source = join(dir, 'src')
  cpSync(join(root, 'src'), source, { recursive: true })
  for (const name of ['package.json', 'node_modules'])
    symlinkSync(join(root, name), join(dir, name))
  for (const [path, text] of Object.entries(added)) writeFileSync(join(source, path), text)
  for (const [path, replaced] of Object.entries(changes)) {
    let text = readFileSync(join(source, path), 'utf8')
    for (const [before, after] of replaced) {
      if (!text.includes(before)) throw new Error(`${path} has no ${before}`)
      text = text.replace(before, () => after)
    }
    writeFileSync(join(source, path), text)
  }
  return join(source, 'main.ts')
}

/** The next version: its data has one more step, which rewrites users, and earlier daemons cannot read it. */
export const nextData = {
  'store/migrate.ts': [
    [
      `    name: 'let hours of a monitor share records',
    run: async () => {},
  },
`,
      `    name: 'let hours of a monitor share records',
    run: async () => {},
  },
  { to: 9, minReader: 9, name: 'the next one', run: rewriteUsers },
`,
    ],
  ],
} as const
