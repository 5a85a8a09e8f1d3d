// Status pages of OneUptime, their subscribers, and scheduled maintenance.
import t from 'tap'
import { fromOneuptime } from '../../../../src/domain/imports/oneuptime/oneuptime.ts'
import { pageLists } from '../../../../src/domain/imports/oneuptime/pages.ts'
import { idOf } from '../../../support/oneuptime-samples.ts'

const idIn = (number: number) => ({ _type: 'ObjectID', value: idOf(number) })
const at = (text: string) => ({ _type: 'DateTime', value: text })

const monitor = (number: number, name: string) => ({
  ...{ _id: idOf(number), projectId: idIn(500), name, monitorType: 'Manual' },
})
const page = {
  ...{ _id: idOf(1), name: 'Acme', pageTitle: 'Acme status', pageDescription: 'All of it' },
  ...{ isPublicStatusPage: true, enableSearchEngineIndexing: true, enableEmailSubscribers: true },
  ...{ customCSS: '', customJavaScript: '', headerHTML: '', footerHTML: '', copyrightText: '' },
  requireSsoForLogin: false,
}
const group = { _id: idOf(20), name: 'Web', description: '', order: 1, statusPageId: idIn(1) }
const resource = {
  ...{ _id: idOf(30), statusPageId: idIn(1), monitorId: idIn(10), monitorGroupId: null },
  ...{ statusPageGroupId: idIn(20), displayName: 'Our shop', order: 1 },
  ...{ displayDescription: '', displayTooltip: '' },
}
const link = { title: 'Docs', link: { value: 'https://d.test/' }, order: 1, statusPageId: idIn(1) }
const subscriber = {
  ...{ statusPageId: idIn(1), subscriberEmail: { value: 'ann@reader.test' } },
  ...{ createdAt: at('2025-05-01T00:00:00Z'), isUnsubscribed: false },
  ...{ isSubscriptionConfirmed: true, isSubscribedToAllResources: false },
  statusPageResources: [{ _id: idOf(30) }],
}
const maintenance = {
  ...{ _id: idOf(40), title: 'New disks', description: 'Slow', isVisibleOnStatusPage: true },
  ...{ startsAt: at('2026-02-01T00:00:00Z'), endsAt: at('2026-02-01T02:00:00Z') },
  monitors: [{ _id: idOf(10) }],
}
const lists = {
  'status-page': [page],
  'status-page-group': [group],
  'status-page-resource': [
    { ...resource, _id: idOf(31), monitorId: idIn(11), statusPageGroupId: null, order: 2 },
    resource,
  ],
  'status-page-header-link': [link],
  'status-page-domain': [{ fullDomain: 'status.acme.test', statusPageId: idIn(1) }],
  'status-page-subscriber': [subscriber],
  'scheduled-maintenance': [maintenance],
}

const read = (changed: object = {}) => {
  const data = [monitor(10, 'Shop'), monitor(11, 'Our shop'), monitor(12, 'Inside')]
  const found = fromOneuptime([
    { data, lists: { ...lists, ...changed }, readAt: '2026-01-02T00:00:00Z' },
  ])
  const lines = found.notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')
  return { ...found, lines }
}

t.test('a page comes with its sections, names, links and readers', async (t) => {
  const { monitors, statusPages, lines } = read()
  const [shop, other, inside] = monitors
  t.match(shop, { isPublic: true, publicName: 'Our shop' })
  t.match(other, { isPublic: true, publicName: undefined })
  t.match(inside, { isPublic: undefined, id: undefined })
  t.match(statusPages, [
    {
      ...{ name: 'Acme', origin: `status-page/${idOf(1)}`, isEnabled: false, title: 'Acme status' },
      ...{ description: 'All of it', noindex: false, allowsSubscribers: true },
      headLinks: [{ label: 'Docs', url: 'https://d.test/' }],
      publicMonitorIds: [shop?.id, other?.id],
      sections: [{ name: 'Web', monitorIds: [shop?.id] }],
      subscribers: [
        {
          address: 'ann@reader.test',
          sectionNames: ['Web'],
          consent: {
            source: 'status.acme.test (OneUptime)',
            confirmedAt: '2025-05-01T00:00:00Z',
          },
        },
      ],
    },
  ])
  t.match(lines, /Acme: its domain status\.acme\.test/)
  t.notMatch(lines, /ann@reader/)
})

t.test('maintenance to come is a window, and the rest is counted', async (t) => {
  const over = { ...maintenance, _id: idOf(41), endsAt: at('2026-01-01T00:00:00Z') }
  const none = { ...maintenance, _id: idOf(42), title: 'Hosts', monitors: [] }
  const {
    monitors,
    maintenance: windows,
    lines,
  } = read({
    'scheduled-maintenance': [maintenance, over, none],
  })
  t.same(windows, [
    {
      ...{ name: 'New disks', origin: `scheduled-maintenance/${idOf(40)}`, isPublic: true },
      ...{ startsAt: '2026-02-01T00:00:00.000Z', endsAt: '2026-02-01T02:00:00.000Z' },
      ...{ monitorIds: [monitors[0]?.id], description: 'Slow' },
    },
  ])
  t.match(lines, /1 maintenances that are over stayed there/)
  t.match(lines, /Hosts: this window was left out: it is about no monitor here/)
})

t.test('every field that is asked for does something', async (t) => {
  const changes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'status-page': {
      ...{ name: 'Other', pageTitle: 'Other', pageDescription: 'x', isPublicStatusPage: false },
      ...{ enableSearchEngineIndexing: false, enableEmailSubscribers: false, customCSS: 'a{}' },
      ...{ customJavaScript: 'x()', headerHTML: '<b>', footerHTML: '<b>', copyrightText: 'Acme' },
      requireSsoForLogin: true,
    },
    'status-page-group': {
      ...{ name: 'Other', description: 'x', order: 3, statusPageId: idIn(2) },
    },
    'status-page-resource': {
      ...{ statusPageId: idIn(2), monitorId: idIn(12), statusPageGroupId: null, order: 3 },
      ...{ displayName: 'Other', displayDescription: 'x', displayTooltip: 'x' },
    },
    'status-page-header-link': {
      ...{ title: 'Other', link: 'https://o.test/', order: 3, statusPageId: idIn(2) },
    },
    'status-page-domain': { fullDomain: 'o.test', statusPageId: idIn(2) },
    'status-page-subscriber': {
      ...{ statusPageId: idIn(2), subscriberEmail: 'bob@reader.test', isUnsubscribed: true },
      ...{ createdAt: at('2025-06-01T00:00:00Z'), isSubscriptionConfirmed: false },
      ...{ isSubscribedToAllResources: true, statusPageResources: [] },
    },
    'scheduled-maintenance': {
      ...{ title: 'Other', description: 'x', isVisibleOnStatusPage: false, monitors: [] },
      startsAt: at('2026-02-01T01:00:00Z'),
      endsAt: at('2026-02-01T03:00:00Z'),
    },
  }
  const twice = {
    'status-page-group': [{ ...group, _id: idOf(21), name: 'Second', order: 2 }],
    'status-page-header-link': [{ ...link, title: 'Second', order: 2 }],
  }
  const result = (list: keyof typeof lists, change: object) => {
    const [first] = list === 'status-page-resource' ? lists[list].slice(1) : lists[list]
    const more: readonly object[] =
      { ...twice, 'status-page-resource': lists[list].slice(0, 1) }[list as keyof typeof twice] ??
      []
    const { lines, ...made } = read({ [list]: [...more, { ...first, ...change }] })
    return JSON.stringify({ ...made, lines })
  }
  for (const [list, { select }] of Object.entries(pageLists)) {
    // Object.entries loses the type of the names.
    const name = list as keyof typeof lists
    const before = result(name, {})
    for (const field of Object.keys(select)) {
      // Without its monitor a group of them is left, too.
      const change =
        field === 'monitorGroupId' ? { monitorId: null } : { [field]: changes[list]?.[field] }
      t.not(result(name, change), before, `${list} ${field}`)
    }
  }
})

t.test('nonsense in these lists becomes nothing', async (t) => {
  for (const one of [null, 7, 'x', [], {}, [null], [7], [{}]]) {
    const odd = Object.fromEntries(Object.keys(lists).map((list) => [list, one]))
    t.equal(read(odd).monitors.length, 3)
  }
})
