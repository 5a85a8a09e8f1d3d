// `stillup doctor` on this machine, against real faults: name servers, mail servers, disks;
// and beside a running daemon.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import { consoleSettings, viewDaemon } from '../../../../src/commands/doctor/daemon-port.ts'
import { layeredSettings } from '../../../../src/config/load.ts'
import { doctorSlowSyncMs } from '../../../../src/services/doctor/checks/disk.ts'
import { createMachine, readUnit } from '../../../../src/services/doctor/machine/machine.ts'
import type { Finding } from '../../../../src/services/doctor/model/finding.ts'
import { runChecks } from '../../../../src/services/doctor/run-checks.ts'
import { testCertificates } from '../../../support/certificates.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { startSmtpInbox } from '../../../support/smtp-inbox.ts'
import { timed } from '../../../support/starvation.ts'
import { testFolder } from '../../../support/test-folder.ts'
import { until } from '../../../support/until.ts'

interface Faults {
  readonly env?: Readonly<Record<string, string>>
  readonly mailTo?: string
}

/** The findings on this machine, for a daemon whose settings are these. */
async function findings(t: Test, { env = {}, mailTo }: Faults) {
  const clock = startClock()
  t.teardown(() => clock.stop())
  const variables = Object.entries({
    HTTP_LISTEN: '127.0.0.1:0',
    DNS_SERVERS: '127.0.0.1:1',
    ...env,
  })
  const own = Object.fromEntries(variables.map(([name, value]) => [`STILLUP_${name}`, value]))
  const settled = layeredSettings({ env: own, cwd: testFolder(t), isTerminal: false })
  const { dir } = settled().settings.data
  const loaded = settled(await consoleSettings(dir))
  const machine = createMachine({
    clock,
    version: '1.2.3',
    env: own,
    loaded,
    mailTo: mailTo ?? null,
    viewDaemon: () => viewDaemon(dir),
  })
  // On a busy machine a check may be given up; then all are run again, as it advises.
  const found = await until(async () => {
    const [all, tookMs] = await timed(() => runChecks(machine))
    t.ok(tookMs < 10_000, 'all of it takes less than 10 seconds')
    return !all.some(({ seen }) => /^it took longer/.test(seen)) && all
  })
  return (check: string, subject: string): Finding | undefined =>
    found.find((one) => one.check === check && one.subject === subject)
}

t.test('a machine before the first start: nothing is created', async (t) => {
  const dir = testFolder(t)
  const found = await findings(t, { env: { DATA_DIR: join(dir, 'data') } })
  t.match(found('daemon', 'state'), { status: 'skipped' })
  const writing = found('disk', 'data.dir writing')
  const slowestMs = Number(/on the disk after ([\d.]+) ms/.exec(writing?.seen ?? '')?.[1])
  t.ok(slowestMs >= 0, `${writing?.seen}`)
  // Others may use the disk as well. What is shown is rounded.
  const isSlow = slowestMs > doctorSlowSyncMs - 1
  t.match(writing?.status, isSlow ? /ok|warning/ : 'ok')
  t.same(readdirSync(dir), [], 'no file is left')
})

t.test('real faults are found, each with advice', async (t) => {
  const silent = createSocket('udp4')
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const inbox = await startSmtpInbox(t, { tls: testCertificates.good, isSecure: true })
  const found = await findings(t, {
    env: {
      DNS_SERVERS: `127.0.0.1:${silent.address().port}`,
      MAIL_SMTP_URL: inbox.url,
      MAIL_FROM: 'up@example.com',
      CHECKS_CONCURRENCY: 'many',
      DATA_DIR: '/proc/stillup',
    },
  })
  const faults: [check: string, subject: string, seen: RegExp][] = [
    ['dns', `name server 127.0.0.1:${silent.address().port}`, /does not answer/],
    ['mail', 'server', /certificate.*not trusted/],
    ['settings', 'checks.concurrency', /"many"/],
    ['disk', 'data.dir writing', /cannot be created/],
  ]
  for (const [check, subject, seen] of faults) {
    t.match(found(check, subject), { status: 'problem', seen, advice: /./ }, `${check} ${subject}`)
  }
})

t.test('a letter is sent on request only', async (t) => {
  const inbox = await startSmtpInbox(t)
  const env = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'Up <up@example.com>' }
  const without = await findings(t, { env })
  t.match(without('mail', 'server'), { status: 'ok' })
  t.equal(inbox.mails.length, 0)
  const sent = await findings(t, { env, mailTo: 'ann@example.com' })
  t.match(sent('mail', 'letter'), { status: 'ok' })
  t.match(await inbox.mailTo('ann@example.com'), { sender: 'up@example.com' })
})

t.test('a running daemon reports on itself', async (t) => {
  const daemon = await startDaemon(t)
  const { host } = new URL(daemon.url)
  const found = await findings(t, {
    env: { HTTP_LISTEN: host, HTTP_BASE_URL: daemon.url, DATA_DIR: daemon.dir },
  })
  t.match(found('daemon', 'state'), { status: 'ok', seen: /is ready/ })
  t.match(found('daemon', 'tasks'), { status: 'ok' })
  t.match(found('daemon', 'lateness'), { status: /ok|skipped/ })
  t.match(found('dns', 'http.baseUrl'), { status: 'ok', seen: /leads here/ })
  t.match(found('permissions', 'data files'), { status: 'ok' })
})

t.test('what the console of a running daemon sets is looked at, too', async (t) => {
  const token = 'the-token-of-the-operator'
  const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
  const inbox = await startSmtpInbox(t)
  await daemon.need('PATCH', '/system/settings', {
    bearer: token,
    json: { mail: { smtpUrl: inbox.url, from: 'up@example.com' } },
  })
  const found = await findings(t, { env: { DATA_DIR: daemon.dir } })
  t.match(found('mail', 'server'), { status: 'ok', seen: /accepts the connection/ })
})

t.test('a unit is read with its drop-ins, in their order', async (t) => {
  const texts: Readonly<Record<string, string>> = {
    '/etc/systemd/system/stillup.service': '[Service]\nWatchdogSec=30s\nUser=a\n',
    '/etc/systemd/system/stillup.service.d/b.conf': '[Service]\nUser=b\n',
    '/usr/lib/systemd/system/stillup.service.d/a.conf': '[Service]\nUser=vendor\nLimitNOFILE=5\n',
  }
  const unit = await readUnit({
    read: async (path) => texts[path],
    look: async () => 'missing',
    list: async (dir) =>
      Object.keys(texts)
        .filter((path) => path.startsWith(`${dir}/`))
        .map((path) => path.slice(dir.length + 1)),
    disk: async () => undefined,
    tryWrite: async () => ({ slowestMs: 1 }),
  })
  t.match([unit?.all('User').at(-1), unit?.all('LimitNOFILE')], ['b', ['5']])
})
