// What a viewer learns of the address of a monitor, by every route that a viewer may read.
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { readEvents } from '../support/event-stream.ts'
import { openMatrixWorld } from '../support/matrix-world.ts'
import { routeTable } from '../support/route-table.ts'
import { until } from '../support/until.ts'

const marker = 'mark-of-the-query'

t.test('no answer to a viewer has a value of the query of a monitor', async (t) => {
  const { daemon, own, bearers, make, targetUrl } = await openMatrixWorld(t)
  const as = (name: string) => bearers.find((one) => one.name === name)?.credential ?? {}
  const owner = { cookie: own.cookie }
  const stream = await readEvents(`${daemon.url}/api/v1${own.org}/events`, {
    'x-api-key': as('viewer by key').key ?? '',
  })
  t.teardown(() => stream.stop())
  const url = `${targetUrl}/?q=${marker}&${marker}`
  const json = { name: 'Marked', url, expectedStatus: 418, failureThreshold: 1, sloPercent: 99 }
  const { id: monitorId } = await daemon.need('POST', `${own.org}/monitors`, { ...owner, json })
  const path = `${own.org}/monitors/${monitorId}`
  await daemon.need('POST', path, owner)
  const whole = await daemon.need('GET', path, as('member by cookie'))
  t.equal(whole.url, url, 'a member sees it whole')
  const { openIncidentId } = whole

  for (const { name, method, path, spec } of apiRoutes) {
    const line = routeTable[name]
    if (!line?.who.startsWith('viewer') || 'streams' in spec) continue
    const names = [...path.matchAll(/:(\w+)/g)].map(([, named = '']) => named)
    const known = { orgId: own.orgId, monitorId, incidentId: openIncidentId }
    const others = names.filter((named) => !(named in known))
    const things: Record<string, string> = { ...(await make(own, others)), ...known }
    const asked = path.replace(/:(\w+)/g, (_, named: string) => things[named] ?? '')
    const body = line.body?.({ n: 1, memberId: '' })
    const sent = body ? { json: body } : {}
    for (const viewer of ['viewer by cookie', 'viewer by key']) {
      const { status, text } = await daemon.ask(method, asked, { ...as(viewer), ...sent })
      t.notMatch(text, marker, `${viewer}: ${name} ${status}`)
      if (name === 'monitors.get') t.match(text, `${targetUrl}/?q=••••&••••"`)
    }
  }

  // A search finds what is shown, and nothing else: otherwise it would tell letter by letter.
  const found = (q: string, credential: object) =>
    daemon.need('GET', `${own.org}/monitors?q=${q}`, credential)
  t.equal((await found(marker, as('viewer by key'))).length, 0)
  t.equal((await found(marker, as('member by key'))).length, 1)
  t.equal((await found('marked', as('viewer by key'))).length, 1)

  await until(() => stream.events.some(({ event }) => event === 'incident.opened'))
  t.notMatch(JSON.stringify(stream.events), marker)
})
