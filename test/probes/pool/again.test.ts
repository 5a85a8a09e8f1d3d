// What probes promise holds in threads, too: their tests, once more, with checks in a thread of their own.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isDeep } from '../../support/depth.ts'

const root = join(import.meta.dirname, '../../..')

const files = globSync('test/{net,probes}/**/*.test.ts', { cwd: root }).filter((file) =>
  /^import .*open-probe\.ts/m.test(readFileSync(join(root, file), 'utf8')),
)

/**
 * What a usual run tries, because a thread needs something for it, or passes it on: readings, evidence and
 * secrets, authorities and certificates, sockets that a thread cannot open itself, several requests.
 */
const usual = [
  ...['probes/run/probe', 'probes/run/evidence', 'probes/run/sign-in', 'probes/http/http'],
  ...['probes/ping/ping', 'probes/tls/ssl', 'probes/steps/steps', 'probes/dns/dns.signed'],
  'net/connection/client-identity',
].map((name) => `test/${name}.test.ts`)

t.test('the tests of probes hold in threads', async (t) => {
  t.ok(files.length >= 9)
  t.same(
    usual.filter((file) => !files.includes(file)),
    [],
  )
  // Each process that loads the product takes longer than most of the files. Most of what these do is to wait.
  const env = { ...process.env, CHECK_THREADS: '1', STILLUP_TEST_DEPTH: '0' }
  const tried = isDeep ? files : usual
  const inTurn = isDeep ? [0, 1].map((turn) => tried.filter((_, at) => at % 2 === turn)) : [tried]
  t.jobs = inTurn.length
  await Promise.all(
    inTurn.map((some, at) => {
      const args = [...process.execArgv, 'test/support/files-process.ts', ...some]
      return t.spawn(process.execPath, args, { cwd: root, env }, `in process ${at + 1}`)
    }),
  )
})
