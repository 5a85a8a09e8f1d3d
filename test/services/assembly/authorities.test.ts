// The authorities that checks trust: read at the start and at a reload, and refused in words.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import { createLive } from '../../../src/config/live.ts'
import { loadSettings } from '../../../src/config/load.ts'
import { createAuthorities } from '../../../src/services/assembly/authorities.ts'
import { register } from '../../support/cast.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { chainRoot } from '../../support/chain-certificates.ts'
import { startDaemon } from '../../support/daemon.ts'
import { testFolder } from '../../support/test-folder.ts'
import { startTlsTarget } from '../../support/tls-target.ts'

function settingsWith(cwd: string, caFile: string) {
  const loaded = loadSettings({ env: { STILLUP_CHECKS_CA_FILE: caFile }, cwd, isTerminal: false })
  if ('problems' in loaded) throw new Error('the settings are right')
  return loaded.settings
}

t.test('a start needs certificates in the file, a reload keeps what was trusted', async (t) => {
  const dir = testFolder(t)
  const file = join(dir, 'ca.pem')
  const write = (text: string) => writeFileSync(file, text)
  const told: string[] = []
  const log = { ...silentLog, error: (message: string) => void told.push(message) }
  const live = createLive(settingsWith(dir, 'ca.pem'))
  const start = () => createAuthorities({ live, log })
  t.throws(start, { exitCode: 78, message: /ca\.pem cannot be read/, hint: /checks\.caFile/ })
  write('no certificate')
  t.throws(start, { exitCode: 78, message: /ca\.pem has no certificate \(checks\.caFile\)/ })
  for (const notWhole of [testCa.replace(/MII.{60}/, 'MIIB'), testCa.slice(0, testCa.length / 2)]) {
    write(testCa + notWhole)
    t.throws(start, { exitCode: 78, message: /certificate 2 in .*ca\.pem cannot be read/ })
  }

  write(`# ours\n${testCa}\n`)
  const authorities = start()
  const before = authorities.ofChecks()
  t.same(before, [testCa.trim()])
  authorities.read()
  t.equal(authorities.ofChecks(), before, 'the same, so connections go on sharing a context')
  write(testCa + chainRoot)
  authorities.read()
  t.same(authorities.ofChecks()?.slice(-2), [testCa.trim(), chainRoot.trim()])
  write('')
  authorities.read()
  t.same(authorities.ofChecks()?.slice(-1), [chainRoot.trim()])
  t.equal(told.length, 1)
  live.apply(settingsWith(dir, ''))
  authorities.read()
  t.equal(authorities.ofChecks(), undefined)
})

t.test('a target with a certificate of a private authority is up once it is trusted', async (t) => {
  const dir = testFolder(t)
  const file = join(dir, 'ca.pem')
  writeFileSync(file, testCa)
  const web = createServer(testCertificates.good, (_request, response) => response.end('fine'))
  await once(web.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => web.close())
  const tlsPort = await startTlsTarget(t, testCertificates.good)
  const { port } = web.address() as AddressInfo
  for (const [env, state] of [
    [{ CHECKS_CA_FILE: file }, 'up'],
    [{}, 'down'],
  ] as const) {
    const daemon = await startDaemon(t, { env })
    const { org, cookie } = await register(daemon, 'ada')
    for (const [checkType, url] of [
      ['endpoint', `https://localhost:${port}/`],
      ['ssl', `tls://localhost:${tlsPort}`],
    ]) {
      const json = { name: checkType, checkType, url, failureThreshold: 1 }
      const { id } = await daemon.need('POST', `${org}/monitors`, { cookie, json })
      await daemon.need('POST', `${org}/monitors/${id}`, { cookie })
      const monitor = await daemon.need('GET', `${org}/monitors/${id}`, { cookie })
      t.equal(monitor.state, state, `${checkType}: ${JSON.stringify(monitor.cause ?? null)}`)
    }
    await daemon.stop()
  }
})
