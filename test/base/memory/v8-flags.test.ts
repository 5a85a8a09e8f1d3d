// The flags that the daemon sets itself have their effect.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { bareNode } from '../../support/bare-node.ts'

const module = join(import.meta.dirname, '../../../src/base/memory/v8-flags.ts')

/** How many megabytes the heap takes at most, while 30 MB of it are in use and objects come and go. */
async function heapMb(first: string): Promise<number> {
  const script = `
    import { saveMemory } from ${JSON.stringify(module)}
    ${first}
    const kept = Array.from({ length: 300 }, () => new Array(12_500).fill(0.5))
    let most = 0
    for (let round = 0; round < 2_000; round++) {
      kept[round % kept.length] = new Array(12_500).fill(round + 0.5)
      if (round % 20 === 0) most = Math.max(most, process.memoryUsage().heapTotal)
    }
    console.log(most / 1024 ** 2)`
  const args = ['--max-semi-space-size=8', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(...bareNode(args))
  return Number(stdout)
}

t.test('the heap grows by half of what is in use, not to a multiple of it', async (t) => {
  const [saving, usual] = await Promise.all([heapMb('saveMemory()'), heapMb('')])
  t.ok(saving < usual / 1.3, `${saving} and ${usual} MB`)
})
