// The health of the installation inside the daemon: looked at rarely, and with what the console sets.
import t from 'tap'
import { usableSettings } from '../../../src/config/load.ts'
import type { World } from '../../../src/services/doctor/model/world.ts'
import { createSystemHealth } from '../../../src/services/doctor/system-health.ts'
import { runningDaemon } from '../../support/doctor-world.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const minuteMs = 60_000

t.test('one look answers all who ask within ten minutes, unless somebody asks again', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {}, notBefore() {} })
  const looked: World[] = []
  const report = runningDaemon.report
  if (!report) throw new Error('the running daemon has a report')
  let smtpUrl = 'smtp://one.example.com'
  const health = createSystemHealth({
    clock,
    version: '1.2.3',
    settings: () =>
      usableSettings({
        env: { STILLUP_MAIL_SMTP_URL: smtpUrl, STILLUP_MAIL_FROM: 'up@example.com' },
        cwd: '/nowhere',
        isTerminal: false,
      }),
    isReady: () => true,
    selfReport: async () => report,
    look: async (world) => {
      looked.push(world)
      const found = { check: 'mail', subject: 'server', seen: 'x', advice: 'y' } as const
      return [
        { ...found, status: 'problem' },
        { ...found, status: 'ok' },
        { ...found, status: 'ok' },
      ]
    },
  })
  const [first, same] = await Promise.all([health.read(), health.read()])
  t.equal(first, same, 'two who ask at once share a look')
  t.same(first.findingCounts, { problem: 1, warning: 0, ok: 2, skipped: 0 })
  t.match(await looked[0]?.daemon(), { kind: 'running', status: { ready: true }, report })
  await clock.advance(9 * minuteMs)
  t.equal(await health.read(), first)
  t.equal(looked.length, 1)

  smtpUrl = 'smtp://two.example.com'
  const again = await health.check()
  t.equal(looked.length, 2)
  t.equal(again.checkedAtMs, first.checkedAtMs + 9 * minuteMs)
  t.equal(looked[1]?.settings.mail.smtpUrl, smtpUrl, 'the settings as they are now')
  t.equal(await health.check(), again, 'a click right after it finds the same')
  await clock.advance(11 * minuteMs)
  await health.read()
  t.equal(looked.length, 3)
})
