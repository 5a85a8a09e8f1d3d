// Power cuts and failing disks: what was acknowledged is there, and nothing is half there.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkFile } from '../../src/store/data-file/check.ts'
import { inspectDataFile } from '../../src/store/data-file/inspect.ts'
import { openStore } from '../../src/store/store.ts'
import { bareNode } from '../support/bare-node.ts'
import { amount, testSeed } from '../support/depth.ts'
import { createDisk, type Loss, losses, readDiskLog } from '../support/durability/disk-log.ts'
import { buildShim, skipWithoutShim } from '../support/durability/disk-shim.ts'
import { openWorkload } from '../support/durability/workload.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { createDice } from '../support/fuzz.ts'
import { testFolder } from '../support/test-folder.ts'

const script = join(import.meta.dirname, '../support/durability/run-workload.ts')
const seed = testSeed() % 1_000_000
const EIO = 5
const ENOSPC = 28
const whereItCan = { skip: skipWithoutShim() }

t.setTimeout(amount(900, 3_600) * 1_000)

/** Opens what a power cut left as the daemon does; returns what is wrong with it. */
async function openAfterCut(dir: string, acknowledged: number): Promise<string[]> {
  const problems: string[] = []
  const file = inspectDataFile(dir)
  const damaged = file ? checkFile(file).damaged.length : 0
  if (damaged > 0) problems.push(`${damaged} records are damaged`)
  const fail = (error: unknown) => void problems.push(String(error))
  const store = openStore({
    dir,
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  const workload = openWorkload(store, seed)
  const newest = workload.newest()
  if (newest < acknowledged) problems.push(`${newest} is the newest of ${acknowledged}`)
  if (!workload.isWhole()) problems.push(`transaction ${newest} is not whole`)
  await workload.write(newest + 1)
  if (!workload.isWhole()) problems.push('what is written next is wrong')
  await store.close()
  const left = inspectDataFile(dir)
  if (!left || checkFile(left).damaged.length > 0) problems.push('what is left then is damaged')
  return problems
}

t.test('a power cut at any moment loses nothing acknowledged', whereItCan, async (t) => {
  const base = testFolder(t, { data: {}, image: {} })
  const log = join(base, 'calls')
  const transactions = amount(40, 250)
  const env = buildShim(base).record(log)
  execFileSync(...bareNode([script, join(base, 'data'), `${seed}`, `${transactions}`], env))
  const calls = readDiskLog(readFileSync(log))
  const whole = readFileSync(join(base, 'data/data.mdb'))

  const dice = createDice(seed)
  const disk = createDisk()
  // Before the first acknowledgement the directory is still being made.
  const first = calls.findIndex(({ kind }) => kind === 'a')
  const share = amount(50, 400) / (calls.length - first)
  const image = join(base, 'image')
  const tried = new Map<Loss, number>()
  let acknowledged = 0
  let images = 0
  for (const [at, call] of calls.entries()) {
    disk.take(call)
    if (call.kind === 'a') acknowledged = call.offset
    if (at < first || !dice.chance(share)) continue
    const loss = losses[images % losses.length] ?? 'none'
    rmSync(image, { recursive: true })
    mkdirSync(image)
    writeFileSync(join(image, 'data.mdb'), disk.imageAfter(loss, dice))
    const problems = await openAfterCut(image, acknowledged).catch((error: unknown) => [
      String(error),
    ])
    if (problems.length > 0) t.same(problems, [], `call ${at}, ${loss} lost; seed ${seed}`)
    tried.set(loss, (tried.get(loss) ?? 0) + 1)
    images += 1
  }
  t.equal(acknowledged, transactions)
  t.ok(disk.imageAfter('none', dice).equals(whole), 'the log has everything that was written')
  t.ok(images > 20)
  t.comment(`${images} images of ${calls.length} calls: ${JSON.stringify([...tried])}`)
})

interface Life {
  readonly code: number | null
  readonly signal: string | null
  /** Which call failed; undefined if none did. */
  readonly failed: string | undefined
  readonly found: { readonly damaged: number; readonly newest: number; readonly isWhole: boolean }
  readonly acknowledged: number
  readonly err: string
}

function live(dir: string, env: Readonly<Record<string, string>>): Promise<Life> {
  return new Promise((resolve) => {
    const [command, args] = bareNode([script, dir, `${seed}`, '6'], env)
    const child = execFile(command, args, (_error, out, err) => {
      const [found = '', ...numbers] = out.trim().split('\n')
      resolve({
        code: child.exitCode,
        signal: child.signalCode,
        failed: /disk-shim: (\w+) failed/.exec(err)?.[1],
        found: found === '' ? { damaged: 0, newest: -1, isWhole: true } : JSON.parse(found),
        acknowledged: Number(numbers.at(-1) ?? 0),
        err,
      })
    })
  })
}

t.test(
  'whichever call to the disk fails, it ends, and the next start is clean',
  whereItCan,
  async (t) => {
    const base = testFolder(t)
    const dir = join(base, 'data')
    const shim = buildShim(base)
    // The directory is made on a disk that works.
    let { acknowledged } = await live(dir, shim.env)
    const ends = new Map<string, number>()
    const step = amount(11, 1)
    for (let n = 1; ; n += step) {
      const errno = n % 2 === 1 ? EIO : ENOSPC
      const life = await live(dir, shim.failAt(n, errno))
      const after = await live(dir, shim.env)
      const said = `call ${n} (${life.failed}, ${errno}), seed ${seed}: ${life.err}`
      if (life.failed !== undefined) {
        // On a page that could not be written LMDB damages its heap: that may end it even sooner.
        const isPage = life.failed !== 'fdatasync'
        if (life.code !== 74 && !(isPage && life.signal)) t.equal(life.code, 74, said)
        const how = `${life.failed} ${life.code ?? life.signal}`
        ends.set(how, (ends.get(how) ?? 0) + 1)
      } else if (life.code !== 0) t.equal(life.code, 0, said)
      const least = Math.max(acknowledged, life.acknowledged)
      if (after.code !== 0 || after.found.damaged > 0 || !after.found.isWhole)
        t.match(after, { code: 0, found: { damaged: 0, isWhole: true } }, said)
      if (after.found.newest < least) t.equal(after.found.newest, least, said)
      acknowledged = after.acknowledged
      if (life.failed === undefined) break
    }
    t.ok(ends.size > 1)
    t.comment(JSON.stringify([...ends]))
  },
)
