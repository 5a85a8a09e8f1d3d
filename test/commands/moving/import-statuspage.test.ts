// Statuspage by its API, from a stand-in: pages, components, incidents and subscribers, and the same again.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { movingWorld } from '../../support/moving-world.ts'
import { statuspageSample } from '../../support/statuspage-samples.ts'

/** Answers as the Manage API does; the first request comes too soon for it. */
async function startStatuspage(t: Test) {
  const [sample] = statuspageSample().statusPages
  const asked: string[] = []
  const answers: Readonly<Record<string, unknown>> = {
    '/v1/pages': [sample?.page],
    '/v1/pages/p1/components': sample?.components,
    '/v1/pages/p1/component-groups': sample?.groups,
    '/v1/pages/p1/incidents': sample?.incidents,
    '/v1/pages/p1/incident_templates': sample?.templates,
    '/v1/pages/p1/subscribers': sample?.subscribers,
    '/v1/pages/p1/subscribers/histogram_by_state': sample?.counts,
  }
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url)
    const { pathname } = new URL(url, 'http://x')
    const isKnown = headers.authorization === 'OAuth the-key'
    const status = asked.length === 1 ? 420 : isKnown ? (pathname in answers ? 200 : 404) : 401
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify(answers[pathname] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

t.test('a page of Statuspage comes with its past and its subscribers, and only once', async (t) => {
  const { url, asked } = await startStatuspage(t)
  const { daemon, alice, cwd, cli } = await movingWorld(t, { PAGES_IMPORT_SUBSCRIBERS: 'always' })
  const { cookie, org } = alice
  writeFileSync(join(cwd, 'key'), 'the-key\n')
  const command = ['import', url, '--from', 'statuspage', '--key-file', 'key', '--org', alice.orgId]
  const first = await cli(...command)
  t.equal(first.code, 0, first.err)
  t.match(first.out, '1 subscriber came along, confirmed: they are not asked again.')
  t.match(first.err, '7 of its subscribers had not confirmed')
  t.notMatch(first.out + first.err, /the-key|ann@reader/)
  t.ok(asked.some((one) => one.includes('/subscribers?type=email&state=active')))

  const pages = await daemon.need('GET', `${org}/status-pages`, { cookie })
  const page = pages.find(({ name }: { readonly name: string }) => name === 'Acme')
  t.match(page, { isEnabled: false, timezone: 'Europe/Berlin', subscribers: { active: 1 } })
  const monitors = await daemon.need('GET', `${org}/monitors`, { cookie })
  const shop = monitors.find(({ name }: { readonly name: string }) => name === 'Shop')
  t.match(shop, { checkType: 'manual', isPublic: true })
  const incidents = await daemon.need('GET', `${org}/incidents?monitorId=${shop.id}`, { cookie })
  t.match(incidents, [{ title: 'Checkout fails', state: 'resolved' }])
  t.match(await daemon.need('GET', `${org}/maintenance-windows`, { cookie }), [
    { name: 'New disks' },
  ])
  t.match(await daemon.need('GET', `${org}/templates`, { cookie }), [
    { name: 'Payments', title: 'Payments are slow', monitorIds: [shop.id] },
  ])

  const again = await cli(...command)
  t.match(again.out, /Created: nothing new/)
  t.match(again.out, '1 subscribed already')
  t.equal((await daemon.need('GET', `${org}/monitors`, { cookie })).length, monitors.length)
})
