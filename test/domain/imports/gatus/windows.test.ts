// Maintenance of Gatus, for all of its endpoints and for one.
import t from 'tap'
import { parse } from 'yaml'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'

const converted = (maintenance: string, own = '[]') =>
  fromGatus(
    parse(`
${maintenance}
endpoints:
  - {name: a, url: "https://a.test/", conditions: ["[STATUS] == 200"]}
  - {name: b, url: "https://b.test/", conditions: ["[STATUS] == 200"], maintenance-windows: ${own}}
  - {name: c, url: "sctp://c.test", conditions: [], maintenance-windows: ${own}}`),
  )

t.test('windows begin at the same time on the same days', async (t) => {
  const { maintenance, monitors } = converted(
    'maintenance: {start: 23:05, duration: 90m, timezone: Europe/Berlin, every: [Monday, Sunday]}',
    '[{start: "04:00", duration: 30s}]',
  )
  const ids = monitors.map(({ id }) => id)
  t.match(maintenance, [
    { name: 'b', origin: 'maintenance/_b/1', monitorIds: [ids[1]], cron: '0 4 * * *' },
    {
      name: 'Maintenance',
      origin: 'maintenance',
      monitorIds: ids,
      cron: '5 23 * * 0,1',
      durationMinutes: 90,
      timezone: 'Europe/Berlin',
    },
  ])
  t.match(maintenance?.[0], { timezone: 'UTC', durationMinutes: 1 })
  const { maintenance: [endless] = [] } = converted('maintenance: {start: 00:00, duration: 24h}')
  t.match(endless, { durationMinutes: 1_439 }, 'it would never end, which no window may')
  t.equal(maintenance?.length, 2, 'what was left out has none: it would be for every monitor')
})

t.test(
  'a window that Gatus would refuse, or that is switched off, is left out and named',
  async (t) => {
    for (const [window, why] of [
      ['{enabled: false, start: 23:00, duration: 1h}', 'it is switched off there'],
      ['{start: 24:00, duration: 1h}', 'its start is no time'],
      ['{start: 23:00, duration: 25h}', 'its duration is not up to 24h'],
      ['{start: 23:00, duration: 1h, every: [Mo]}', 'unknown day Mo'],
      ['{start: 23:00, duration: 1h, timezone: Mars/Base}', 'unknown time zone Mars/Base'],
    ] as const) {
      const { maintenance, notes } = converted(`maintenance: ${window}`)
      t.same(maintenance, [], window)
      t.match(notes.at(-1)?.text, why, window)
    }
  },
)

t.test(
  'endpoints with the same times share a window, of which an organization has few',
  async (t) => {
    const endpoints = Array.from({ length: 1_500 }, (_, index) => ({
      name: `e${index}`,
      url: 'https://a.test/',
      conditions: ['[STATUS] == 200'],
      'maintenance-windows': [{ start: '04:00', duration: '1h' }],
    }))
    const { maintenance = [] } = fromGatus({ endpoints })
    t.same(
      maintenance.map(({ name, origin, monitorIds }) => [
        name,
        origin,
        (monitorIds as string[]).length,
      ]),
      [
        ['e0 and others', 'maintenance/_e0/1', 1_000],
        ['e1000 and others', 'maintenance/_e1000/1', 500],
      ],
    )
  },
)
