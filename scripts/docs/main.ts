// npm run docs: tries every command of the documents against a daemon of its own. `npm run docs -- docs/push.md`
// tries those of a document. Ends with 1 if one fails.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BlockMark, isTriedHere, marks, shellBlocks } from './blocks.ts'
import { tryDocuments } from './try.ts'
import { createDocsWorld } from './world.ts'

const root = join(import.meta.dirname, '../..')
const asked = process.argv.slice(2)
const blocks = shellBlocks(root).filter(({ file }) => asked.length === 0 || asked.includes(file))
const folder = mkdtempSync(join(tmpdir(), 'stillup-docs-'))
try {
  const world = await createDocsWorld(folder)
  const failed = await tryDocuments(world, blocks).finally(() => world.stop())
  for (const { block, said } of failed) {
    console.log(`${block.file}:${block.line}\n${block.code}\n\n${said}\n`)
  }
  const tried = blocks.filter(isTriedHere)
  console.log(`${tried.length} blocks tried, ${failed.length} failed`)
  for (const [mark, reason] of Object.entries(marks) as [BlockMark, string][]) {
    const left = blocks.filter((block) => block.mark === mark)
    const places = left.map(({ file, line }) => `${file}:${line}`)
    console.log(`${left.length} not tried, ${mark} (${reason}): ${places.join(', ')}`)
  }
  process.exitCode = failed.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}
