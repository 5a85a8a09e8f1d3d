// The history of 700 monitors and a year leaves while the daemon goes on checking them.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { historyFormats } from '../../src/domain/orgs/history-tables.ts'
import { isDeep } from '../support/depth.ts'
import { startLargeHistory } from '../support/measured-history.ts'
import { testFolder } from '../support/test-folder.ts'

const skip = !isDeep && 'a matter of quantity: in deep runs'
const monitors = 700
const days = 365

t.test('the daemon goes on checking, and takes little memory', { skip }, async (t) => {
  const folder = testFolder(t)
  const { measure, stop } = await startLargeHistory(t, { folder, monitors, days })
  for (const format of historyFormats) {
    const { code, said, tookMs, bytes, during, moreMb } = await measure(format)
    t.equal(code, 0, said)
    t.comment(JSON.stringify({ format, tookMs, bytes, during, moreMb }))
    t.ok(tookMs < 120_000, `${format} took ${tookMs} ms`)
    t.ok(during.p99Ms <= 100, `99 of 100 checks began less than ${during.p99Ms} ms late`)
    t.ok(moreMb < 96, `the daemon took ${moreMb} MB more`)
    rmSync(join(folder, format), { recursive: true })
  }
  await stop()
})
