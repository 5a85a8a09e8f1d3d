// What a status page announces of maintenance windows: the public ones, for what it shows, in time.
import t from 'tap'
import type { MaintenanceWindow } from '../../../src/domain/maintenance/window.ts'
import { toText } from '../../../src/pages/html.ts'
import { statusPage } from '../../../src/pages/status/status-page.ts'
import { toPublicPage } from '../../../src/pages/view/public-view.ts'
import { makePage, makeSource, monitorNo, noonMs, orgTwo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const once = (fromMs: number, toMs: number, more: Partial<MaintenanceWindow> = {}) =>
  makeWindow({
    times: { kind: 'once', startsAtMs: noonMs + fromMs, endsAtMs: noonMs + toMs },
    isPublic: true,
    ...more,
  })

function announced(...windows: MaintenanceWindow[]): string[] {
  const sources = [
    makeSource({ name: 'Shop', tags: ['web'] }),
    makeSource({ id: monitorNo(2), name: 'Mail' }),
    makeSource({ id: monitorNo(3), name: 'Secret', isPublic: false, tags: ['hidden'] }),
  ]
  const view = toPublicPage(makePage(), sources, [], noonMs, { windows })
  return (view?.maintenance ?? []).map(({ name, monitorNames, isOn, startsAtMs }) =>
    [name, ...monitorNames, isOn ? 'on' : `in ${(startsAtMs - noonMs) / dayMs} d`].join(' '),
  )
}

t.test('a page announces public windows that are on or begin within a week', async (t) => {
  t.same(
    announced(
      once(6 * dayMs, 7 * dayMs, { name: 'Later' }),
      once(-hourMs, hourMs, { name: 'Now' }),
      once(-2 * hourMs, -hourMs, { name: 'Over' }),
      once(7 * dayMs, 8 * dayMs, { name: 'Far' }),
      once(0, hourMs, { name: 'Private', isPublic: false }),
    ),
    ['Now on', 'Later in 6 d'],
  )
  const times = { kind: 'recurring', cron: '0 12 * * *', timezone: 'UTC' } as const
  const daily = { ...times, durationMinutes: 30, extras: [], cuts: [] }
  const all = announced(makeWindow({ times: daily, isPublic: true, name: 'Daily' }))
  t.same(all, ['Daily on', ...[1, 2, 3, 4, 5, 6].map((days) => `Daily in ${days} d`)])
})

t.test('it names only monitors that it shows, and no window that is for others', async (t) => {
  t.same(announced(once(0, hourMs, { name: 'Web', tags: ['web', 'hidden'] })), ['Web Shop on'])
  t.same(announced(once(0, hourMs, { name: 'Hidden', tags: ['hidden'] })), [])
  t.same(announced(once(0, hourMs, { name: 'Foreign', orgId: orgTwo })), [])
})

t.test('a monitor under maintenance shows as that, whatever its checks find', async (t) => {
  const source = { ...makeSource({}, 'down'), isUnderMaintenance: true }
  const view = toPublicPage(makePage(), [source], [], noonMs)
  t.match(view, { monitors: [{ state: 'maintenance' }], overall: { level: 'maintenance' } })
  if (view) t.match(toText(statusPage({ view, language: 'en', root: '' })), 'Under maintenance')
})
