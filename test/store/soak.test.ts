// A store that works for long as a queue does: its file stays as large as what it holds needs.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { checkFile } from '../../src/store/data-file/check.ts'
import { inspectDataFile } from '../../src/store/data-file/inspect.ts'
import type { TableKey } from '../../src/store/engine/damage.ts'
import { openTable } from '../../src/store/engine/table.ts'
import { openStore } from '../../src/store/store.ts'
import { amount, testSeed } from '../support/depth.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { createDice } from '../support/fuzz.ts'
import { testFolder } from '../support/test-folder.ts'

const seed = testSeed()
const durationMs = amount(2_000, 300_000)
const producers = 20
/** What each keeps in its queue; more is taken out. */
const queuedMax = amount(10, 100)
/** So many tell how large it becomes, however slow the disk is. */
const commitsMin = 150
const organizations = 7
const readPage = 200
const largestBytes = 20_000
/** In the last two thirds of the commits. */
const grownShareMax = 0.01

t.setTimeout(durationMs + 240_000)

t.test(
  'producers, consumers and readers of a queue leave its file as large as it was',
  async (t) => {
    const dir = join(testFolder(t), 'db')
    const fail = (error: unknown) => t.fail(String(error))
    const store = openStore({
      dir,
      clock: new FakeClock(),
      commitDelayMs: 0,
      onFatal: fail,
      onError: fail,
    })
    const queue = openTable<{ text: string }>(store, { name: 'soakQueue' })
    const index = openTable<1>(store, { name: 'soakIndex' })
    const startedMs = performance.now()
    const elapsedMs = () => performance.now() - startedMs
    const counts = { commits: 0, put: 0, removed: 0, read: 0 }
    const isOver = () => elapsedMs() > durationMs && counts.commits >= commitsMin

    async function produce(producer: number): Promise<void> {
      const dice = createDice(seed + producer)
      const prefix: TableKey = [`org_${producer % organizations}`, `chn_${producer}`]
      for (let number = 0; !isOver(); ) {
        await store.write((tx) => {
          for (let left = 1 + dice.below(5); left > 0; left -= 1) {
            number += 1
            const text = 'x'.repeat(dice.below(dice.chance(0.02) ? 20_000 : 1_500))
            queue.put(tx, [...prefix, number], { text })
            index.put(tx, ['pending', ...prefix, number], 1)
            counts.put += 1
          }
          // The consumer: what was delivered goes, in the same commits.
          const waiting = queue.keys({ prefix, limit: queuedMax + 50 })
          for (const key of waiting.slice(0, Math.max(0, waiting.length - queuedMax))) {
            queue.remove(tx, key)
            index.remove(tx, ['pending', ...key])
            counts.removed += 1
          }
        })
      }
    }

    async function read(): Promise<void> {
      for (let org = 0; !isOver(); org = (org + 1) % organizations) {
        const rows = queue.entries({ prefix: [`org_${org}`], limit: readPage })
        counts.read += rows.length
        if (rows.some(({ record }) => !/^x*$/.test(record.text))) t.fail('a record is wrong')
        await nextTurn()
      }
    }

    const sizes: { commits: number; bytes: number }[] = []
    async function measure(): Promise<void> {
      for (; !isOver(); counts.commits += 1) {
        sizes.push({ commits: counts.commits, bytes: statSync(join(dir, 'data.mdb')).size })
        await store.write((tx) => store.meta.putLastAlive(tx, Math.round(elapsedMs()) + 1))
      }
    }

    const work = Array.from({ length: producers }, (_, producer) => produce(producer))
    await Promise.all([...work, read(), read(), measure()])
    const { usedBytes } = store.usage()
    await store.close()
    const last = sizes.at(-1)?.bytes ?? 0
    const early = sizes.find(({ commits }) => commits > counts.commits / 3)?.bytes ?? 0
    const grownShare = last / early - 1
    const minutes = (durationMs * 2) / 3 / 60_000
    const line = {
      ...counts,
      early,
      last,
      usedBytes,
      grownShare,
      perTenMinutes: (grownShare / minutes) * 10,
    }
    t.comment(JSON.stringify(line))
    const some = sizes.filter((_, at) => at % Math.ceil(sizes.length / 30) === 0)
    t.comment(some.map(({ bytes }) => Math.round(bytes / 1024)).join(' '))
    // A large record needs free pages side by side, and finds none now and then.
    const grownBytesMax = Math.max(early * grownShareMax, 32 * largestBytes)
    t.ok(last - early < grownBytesMax, `it grew by ${last - early} bytes`)
    const file = inspectDataFile(dir)
    if (!file) return t.fail('there is a file')
    t.same(checkFile(file).damaged, [])
  },
)
