// Checks of Healthchecks become push monitors that are missed at the same time.
import t from 'tap'
import { fromHealthchecks } from '../../../src/domain/imports/healthchecks.ts'
import { healthchecksAnswer } from '../../support/foreign-samples.ts'

t.test('periods, schedules, tags and pauses are kept', async (t) => {
  const { monitors, notes } = fromHealthchecks(healthchecksAnswer)
  t.same(monitors[0], {
    name: 'Backup',
    checkType: 'push',
    intervalSeconds: 3_600,
    graceSeconds: 900,
    isActive: true,
    tags: ['prod', 'db'],
    description: 'Nightly',
  })
  t.match(monitors[1], {
    schedule: '0 3 * * *',
    timezone: 'Europe/Prague',
    graceSeconds: 900,
    isActive: false,
  })
  t.match(monitors[2], { intervalSeconds: 86_400, graceSeconds: 604_800 - 86_400 + 900 })
  t.match(monitors[3], { name: 'by-slug' })
  t.equal(monitors.length, 4)
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /Calendar: its schedule "Mon\.\.Fri/)
  t.match(lines, /by-slug: that it takes POST only/)
  t.match(lines, /null: the integrations/)
  t.match(lines, /null: the ping addresses are new/)
  t.same(fromHealthchecks('nonsense').monitors, [])
})
