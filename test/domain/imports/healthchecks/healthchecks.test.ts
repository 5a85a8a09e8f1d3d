// Checks of Healthchecks become push monitors that are missed at the same time. Each field that its API tells
// is counted.
import t from 'tap'
import { fromHealthchecks } from '../../../../src/domain/imports/healthchecks/healthchecks.ts'
import {
  healthchecksAnswer,
  healthchecksChannels,
  healthchecksCheck,
  healthchecksReadOnly,
} from '../../../support/foreign-samples.ts'

const oneCheck = (fields: object, v?: number) =>
  fromHealthchecks({ checks: [healthchecksCheck(1, { name: 'One', timeout: 60, ...fields }, v)] })

t.test('projects of one host stay apart, by the key of their badges', (t) => {
  const of = (key: string) =>
    fromHealthchecks({
      ...healthchecksAnswer,
      badges: { '*': { svg: `https://hc.example.org/badge/${key}/wEZVqxv7-2.svg` } },
    }).source
  t.match(of('one'), { product: 'healthchecks', installation: /^hc\.example\.org [0-9a-f]{16}$/ })
  t.same(of('one'), of('one'))
  t.not(of('one')?.installation, of('two')?.installation)
  t.end()
})

t.test('periods, schedules, tags, pauses and integrations are kept', async (t) => {
  const { source, channels, secretsOmitted, monitors, notes } = fromHealthchecks({
    ...healthchecksAnswer,
    ...healthchecksChannels,
  })
  t.same(source, { product: 'healthchecks', installation: 'hc.example.org' })
  t.match(channels, [{ name: 'Ops mail', type: 'email' }])
  t.same(secretsOmitted, ['/channels/0/config/to'])
  t.same(monitors[0], {
    origin: 'check/b3848f4f8347a81b1f1d738e4b476d5c29f8214e',
    name: 'Backup',
    checkType: 'push',
    intervalSeconds: 3_600,
    graceSeconds: 900,
    maxRunSeconds: 900,
    isActive: true,
    tags: ['prod', 'db'],
    description: 'Nightly',
    notifyChannelIds: [channels?.[0]?.id],
    keptAddresses: ['/ping/31360001-8da9-4729-8ff3-aaa71d56b712'],
  })
  t.match(monitors[1], {
    schedule: '0 3 * * *',
    timezone: 'Europe/Prague',
    graceSeconds: 900,
    isActive: false,
  })
  t.match(monitors[2], { intervalSeconds: 86_400, graceSeconds: 604_800 - 86_400 + 900 })
  t.match(monitors[3], { name: 'by-slug' })
  t.match(monitors[4], { schedule: '0 9 * * 1-5', isActive: true })
  t.match(monitors[5], { intervalSeconds: 86_400, isActive: false })
  t.equal(monitors.length, 6)
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(
    lines,
    /Trello: left out: there is no kind of channel here for Trello; it was told of "Backup"/,
  )
  t.match(lines, /Once: its schedule "2027-01-01 09:00:00" \(UTC\) names years: it is paused/)
  t.notMatch(lines, /that a ping resumes it/, 'it does here, too')
  t.match(monitors[5], { keptRules: { isResumedByHand: true } }, 'its times are not known')
  t.match(monitors[3], { keptRules: { methods: 'POST' } })
  t.match(lines, /null: of integrations only name and kind are told/)
  t.match(lines, /null: addresses by ping key and slug: add the key as `pingKey`/)
  t.same(fromHealthchecks('nonsense').monitors, [])
})

t.test('a check is the same for both kinds of keys', async (t) => {
  // hc/api/models.py, Check.unique_key; both values are in the documents of the API.
  const uuid = '31365bce-8da9-4729-8ff3-aaa71d56b712'
  const uniqueKey = 'a6c7b0a8a66bed0df66abfdab3c77736861703ee'
  const check = healthchecksCheck(1, { uuid, name: 'Filesystem Backup', timeout: 3_600 })
  const written = fromHealthchecks({ checks: [check] })
  const read = fromHealthchecks({ checks: [healthchecksReadOnly(check, uniqueKey)] })
  t.equal(written.monitors[0]?.origin, `check/${uniqueKey}`)
  t.match(written.monitors, [{ alertsNobody: true }], 'it has no integration')
  const without = written.monitors.map(
    ({ keptAddresses: _, alertsNobody: _a, ...monitor }) => monitor,
  )
  t.same(read.monitors, without, 'but for address and integrations, which only one of them shows')
  t.same(read.source, written.source)
  t.match(read.notes, [{}, { text: /the key may only read/ }, {}])
})

t.test('checks whose unique keys are equal are told apart by what is whole', async (t) => {
  const half = '31365bce-8da9-4729'
  const [one, other] = [`${half}-8ff3-aaa71d56b712`, `${half}-9ff3-aaa71d56b712`]
  const checks = [one, other].map((uuid) => healthchecksCheck(1, { uuid, name: uuid, timeout: 60 }))
  t.match(fromHealthchecks({ checks }).monitors, [
    { origin: `check/${one}` },
    { origin: `check/${other}` },
  ])
  const read = checks.map((check) => healthchecksReadOnly(check, 'a'.repeat(40)))
  t.notMatch(fromHealthchecks({ checks: read }).monitors[1], { origin: String })
})

t.test('status changes become the past of their check, with either key', async (t) => {
  const check = healthchecksCheck(1, { name: 'One', timeout: 60 })
  const uniqueKey = 'a6c7b0a8a66bed0df66abfdab3c77736861703ee'
  const answer = { flips: [{ timestamp: '2026-11-29T00:00:00+00:00', up: 1 }] }
  const readAt = '2026-11-30T00:00:00Z'
  const keyed = (key: string) => ({ readAt, flips: { [key]: answer } })
  const day = { days: [{ upMs: 86_400_000 }], outages: [] }
  const { history } = fromHealthchecks({ checks: [check], ...keyed(check.uuid) })
  t.match(history, [day])
  const checks = [healthchecksReadOnly(check, uniqueKey)]
  t.match(fromHealthchecks({ checks, ...keyed(uniqueKey) }).history, [
    { ...day, origin: `check/${uniqueKey}` },
  ])
})

/** What a field of `Check.to_dict` does, as a value that it has there and what becomes of it. */
const fields: Readonly<Record<string, readonly [value: unknown, seen: RegExp | object] | string>> =
  {
    name: ['Nightly', { name: 'Nightly' }],
    slug: ['nightly', { name: 'nightly' }],
    tags: ['a b', { tags: ['a', 'b'] }],
    desc: ['Text', { description: 'Text' }],
    grace: [120, { graceSeconds: 120, maxRunSeconds: 120 }],
    n_pings: 'counts what was received there',
    status: ['paused', { isActive: false }],
    started: 'a run in progress: its end is reported where it began',
    last_ping: 'the past of the check; its changes become history',
    next_ping: 'follows from the last ping and the schedule',
    manual_resume: [true, { keptRules: { isResumedByHand: true } }],
    methods: ['POST', { keptRules: { methods: 'POST' } }],
    subject: ['OK', /its words in the subject of mail/],
    subject_fail: ['FAIL', /its words in the subject of mail/],
    start_kw: ['BEGIN', /"BEGIN"/],
    success_kw: ['DONE', /"DONE"/],
    failure_kw: ['OOPS', /"OOPS"/],
    filter_subject: [true, /the subject of mail/],
    filter_body: [true, /the body of mail/],
    filter_http_body: [true, { keptRules: { otherwise: 'ignore' } }],
    filter_default_fail: [true, /other pings are failures/],
    badge_url: ['https://other.example/b/2/x.svg', /badges/],
    last_duration: 'the past of the check',
    uuid: ['31365bce-8da9-4729-8ff3-aaa71d56b712', { origin: /^check\/a6c7/ }],
    unique_key: 'made of the UUID, and tried above',
    ping_url: [
      'https://ping.example.org/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278',
      { keptAddresses: ['/ping/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'] },
    ],
    update_url: 'an address of the API',
    pause_url: 'an address of the API',
    resume_url: 'an address of the API',
    channels: ['1bdea468-03bf-47b8-ab27-29a9dd0e4b94', { notifyChannelIds: [/^chn_0vvtj6/] }],
    timeout: [300, { intervalSeconds: 300 }],
    schedule: ['5/15 * * * *', { schedule: '5-59/15 * * * *' }],
    tz: ['Europe/Riga', { timezone: 'Europe/Riga' }],
  }

t.test('every field of a check arrives or is named', async (t) => {
  for (const v of [1, 2, 3]) {
    const known = Object.keys(healthchecksCheck(1, {}, v))
    t.same(
      known.filter((name) => !(name in fields)),
      [],
      `version ${v}`,
    )
    for (const [name, effect] of Object.entries(fields)) {
      if (typeof effect === 'string') continue
      const [value, seen] = effect
      const around = {
        ...(name.endsWith('_kw') || name === 'filter_default_fail' ? { filter_body: true } : {}),
        ...(name === 'manual_resume' ? { status: 'paused' } : {}),
        ...(name === 'tz' ? { schedule: '0 3 * * *' } : {}),
        ...(name === 'slug' ? { name: '' } : {}),
        ...(name === 'ping_url' ? { uuid: undefined } : {}),
      }
      const check = healthchecksCheck(1, { name: 'One', ...around, [name]: value }, v)
      const { monitors, notes } = fromHealthchecks({ checks: [check], ...healthchecksChannels })
      if (seen instanceof RegExp) t.match(notes.map(({ text }) => text).join('\n'), seen, name)
      else t.match(monitors[0], seen, name)
    }
  }
})

t.test('what nobody set is not named', async (t) => {
  const named = oneCheck({ manual_resume: true }).notes.filter(({ name }) => name !== null)
  t.same(named, [])
})

t.test('a schedule means what it means there', async (t) => {
  const scheduleOf = (schedule: string) => oneCheck({ schedule, tz: 'UTC' }).monitors[0]
  t.match(scheduleOf('0 0 LW * *'), { schedule: '0 0 LW * *', isActive: true })
  t.match(scheduleOf('0 9 1,15 * 1'), { schedule: '0 9 1,15 * 1', isActive: true })
  t.match(scheduleOf('0 9 */2 * 1'), { isActive: false }, 'both days must fit there')
  t.match(scheduleOf('*-*-* 04:00:30'), { schedule: '0 4 * * *', graceSeconds: 930 })
  t.match(scheduleOf('*-*-* 04:00 Europe/Riga'), { timezone: 'Europe/Riga' })
  const { monitors, notes } = oneCheck({ timeout: 31_536_000, grace: 31_536_000 })
  t.match(monitors, [{ intervalSeconds: 86_400, graceSeconds: 31_536_000 }])
  t.match(notes.map(({ text }) => text).join('\n'), /it is missed earlier/)
})

t.test('more than there is room for is cut, and named', async (t) => {
  const tags = Array.from({ length: 30 }, (_, index) => `t${index}`).join(' ')
  const { monitors, notes } = oneCheck({ tags, desc: 'x'.repeat(3_000) })
  const [made] = monitors
  t.equal(Object(made?.tags).length, 20)
  t.equal(String(made?.description).length, 2_000)
  t.match(notes.map(({ text }) => text).join('\n'), /description.*\n.*more than 20 tags/)
})

t.test('with the ping key slugs are kept, and shared where several checks have one', async (t) => {
  const check = (number: number, slug: string) => healthchecksCheck(number, { name: slug, slug })
  const checks = [check(1, 'one'), check(2, 'two'), check(3, 'two')]
  const { monitors, notes } = fromHealthchecks({ checks, pingKey: 'fqOOd6-F4MMNuCEnzTU01w' })
  const ofSlugs = monitors.flatMap(({ keptAddresses = [] }) => keptAddresses.slice(1))
  t.same(ofSlugs, ['/ping/fqOOd6-F4MMNuCEnzTU01w/one'])
  const shared = monitors.map(({ sharedAddresses }) => sharedAddresses)
  const two = ['/ping/fqOOd6-F4MMNuCEnzTU01w/two']
  t.same(shared, [undefined, two, two])
  t.notMatch(notes, [{ text: /slug/ }])
  const many = Array.from({ length: 60 }, (_, at) => check(100 + at, 'many'))
  const among = fromHealthchecks({ checks: many, pingKey: 'fqOOd6-F4MMNuCEnzTU01w' }).monitors
  t.equal(among.filter((one) => 'sharedAddresses' in one).length, 50, 'a bounded number')
})

t.test('a key that only reads tells no address, so rules of requests are named', async (t) => {
  const readOnly = { uuid: undefined, ping_url: undefined, unique_key: 'a'.repeat(40) }
  const words = { filter_http_body: true, failure_kw: 'OOPS' }
  const { monitors, notes } = oneCheck({ ...readOnly, ...words, methods: 'POST' })
  t.notOk(monitors[0] && 'keptAddresses' in monitors[0])
  const lines = notes.map(({ text }) => text).join('\n')
  t.match(lines, /the ping addresses of 1 of 1 checks are new/)
  t.match(lines, /that it takes POST only/)
  t.match(lines, /its words in the body of requests \("OOPS"\)/)
})
