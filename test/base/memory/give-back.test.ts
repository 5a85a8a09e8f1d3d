// Memory that only the start needed goes back to the system.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { bareNode } from '../../support/bare-node.ts'

const module = join(import.meta.dirname, '../../../src/base/memory/give-back.ts')

/** How many megabytes more are resident after much was made and left, and then given back. */
async function residentMb(heapBytesMax: number): Promise<number> {
  const script = `
    import { readFileSync } from 'node:fs'
    import { giveMemoryBack } from ${JSON.stringify(module)}
    // Pages of files come and go as others need memory: where the system tells, they do not count.
    const status = () => readFileSync('/proc/self/status', 'latin1')
    const anonymous = () => Number(/RssAnon:\\s*(\\d+)/.exec(status())[1]) * 1_024
    const own = process.platform === 'linux' ? anonymous : process.memoryUsage.rss
    const before = own()
    let made = []
    for (let number = 0; number < 500_000; number++) made.push({ number })
    made = undefined
    giveMemoryBack(${heapBytesMax})
    console.log((own() - before) / 1024 ** 2)`
  const args = ['--max-semi-space-size=8', '--input-type=module', '-e', script]
  const { stdout } = await promisify(execFile)(...bareNode(args))
  return Number(stdout)
}

t.test('what nothing needs any more is given back, unless the heap is large', async (t) => {
  const given = await residentMb(1_000_000_000)
  const kept = await residentMb(1_000)
  t.ok(given < kept / 2, `${given} and ${kept} MB`)
})
