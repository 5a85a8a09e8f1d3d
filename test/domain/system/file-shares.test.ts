// Who may have how many open files.
import t from 'tap'
import { filesKept, filesPerCheck, shareFiles } from '../../../src/domain/system/file-shares.ts'

const wanted = 1_000

t.test('checks and callers never get the reserve for everything else', async (t) => {
  for (let filesMax = 16; filesMax < 70_000; filesMax += 97) {
    const { checks, connections } = shareFiles(filesMax, wanted)
    const kept = filesMax - checks * filesPerCheck - connections
    t.ok(kept >= Math.min(filesKept, Math.floor(filesMax / 2)), `${filesMax}: ${kept}`)
    t.ok(checks >= 1 && connections >= 1, `${filesMax}: each has some`)
  }
})

const rows = [
  { what: 'no limit: everything as wished', filesMax: undefined, checks: 1_000, callers: 20_000 },
  { what: 'a service by systemd', filesMax: 65_536, checks: 1_000, callers: 20_000 },
  { what: 'enough for checks, fewer callers', filesMax: 20_000, checks: 1_000, callers: 17_744 },
  { what: 'half for checks at most', filesMax: 1_024, checks: 192, callers: 384 },
  { what: 'where all is scarce, half is kept', filesMax: 128, checks: 16, callers: 32 },
] as const

for (const { what, filesMax, checks, callers } of rows) {
  t.test(what, async (t) => {
    t.same(shareFiles(filesMax, wanted), { checks, connections: callers })
  })
}

t.test('files that checks do not need go to callers', async (t) => {
  t.same(shareFiles(1_024, 10), { checks: 10, connections: 748 })
})
