// Many tabs of one browser: each works, all are live, and together they hold one event stream. And each
// shows what its link names, in whichever organization that is.

import type { Page } from 'playwright-core'
import t from 'tap'
import { asId } from '../../src/base/ids.ts'
import { incidentsUrl } from '../../src/domain/alerts/alert-link.ts'
import { noSharedWorkers, skipWithoutBrowser as skip } from '../support/browser.ts'
import { addJob, type Owner, register } from '../support/cast.ts'
import { follow, load } from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { en } from '../support/console-words.ts'
import type { Daemon } from '../support/daemon.ts'
import { amount, isDeep } from '../support/depth.ts'
import { orgA } from '../support/make-incident.ts'
import { leastOfRounds, timed } from '../support/starvation.ts'
import { until } from '../support/until.ts'

/** The open event streams at the daemon. */
async function streamsAt(daemon: Daemon): Promise<number> {
  const { text } = await daemon.ask('GET', '/metrics')
  return Number(/^stillup_event_streams (\d+)$/m.exec(text)?.[1])
}

/** A browser without windows shows every tab, so tests say which are hidden. */
const look = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)

/** A usual run opens each link in the tab of one organization, a deep one in those of both. */
const inTurn = <T>(all: readonly T[], turn: number) =>
  all.filter((_, index) => isDeep || index % 2 === turn)

/** More than the six connections that a browser has for a host. */
const tabCount = amount(7, 12)

t.test('many tabs of the console in one browser', { skip }, async (t) => {
  const { daemon, open } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const { cookie } = ann
  const pumps = await addJob(daemon, ann, 'Pumps')

  const isLive = (page: Page) => page.locator('.connection.is-live').waitFor()

  await t.test('many tabs load, acknowledge, and are live within a second', async (t) => {
    const { page: first, complaints } = await open(t, ann)
    const pages = [first]
    for (let number = 1; number <= tabCount; number += 1) {
      const page = pages[number - 1] ?? (await first.context().newPage())
      pages[number - 1] = page
      const json = { title: `Outage ${number}` }
      const { id } = await daemon.need('POST', `${ann.org}/incidents`, { cookie, json })
      await page.goto(`/app/incidents/${id}`)
      await isLive(page)
    }
    t.equal(await streamsAt(daemon), 1)
    for (const page of pages) {
      await page.getByRole('button', { name: en.incidents.acknowledge }).click()
      await page.locator('.state', { hasText: en.incidents.states.acknowledged }).waitFor()
    }
    for (const page of pages) {
      await page.locator('a.brand').click()
      await page.locator('.monitor-row', { hasText: 'Pumps' }).waitFor()
    }
    const shown = (all: readonly Page[], state: 'down' | 'up') =>
      Promise.all(all.map((page) => page.locator(`.monitor-row.is-${state}`).waitFor()))
    const turn = async (all: readonly Page[]) => {
      await pumps.report('error')
      const [, down] = await timed(() => shown(all, 'down'))
      await pumps.report('ok')
      const [, up] = await timed(() => shown(all, 'up'))
      return { down, up }
    }
    await turn(pages)
    const least = await leastOfRounds(1_000, () => turn(pages))
    for (const [what, ms] of least) t.ok(ms < 1_000, `${what} after ${Math.round(ms)} ms`)

    await first.close()
    await turn(pages.slice(1))
    t.equal(await streamsAt(daemon), 1, 'without the tab that came first')
    for (const page of pages.slice(1, -1)) await page.close()
    await turn(pages.slice(-1))
    t.equal(await streamsAt(daemon), 1)
    await pages.at(-1)?.close()
    await until(async () => (await streamsAt(daemon)) === 0)
    t.same(complaints, [])
  })

  await t.test('no stream is open while every tab is hidden, and nothing is missed', async (t) => {
    const { page } = await open(t, ann)
    await page.clock.install()
    await page.goto('/app')
    await page.locator('.monitor-row.is-up').waitFor()
    await isLive(page)
    t.equal(await streamsAt(daemon), 1)
    await look(page, 'hidden')
    await page.clock.runFor(6_000)
    await until(async () => (await streamsAt(daemon)) === 0)
    await pumps.report('error')
    await look(page, 'visible')
    await until(async () => (await streamsAt(daemon)) === 1)
    await page.clock.runFor(1_000)
    await page.locator('.monitor-row.is-down').waitFor()
    await pumps.report('ok')
    await page.clock.runFor(1_000)
    await page.locator('.monitor-row.is-up').waitFor()
    t.pass()
  })

  await t.test('a browser without shared workers is live, too', async (t) => {
    const { page } = await open(t, ann)
    await page.addInitScript(noSharedWorkers)
    await page.goto('/app')
    await isLive(page)
    await page.locator('.monitor-row.is-up').waitFor()
    await pumps.report('error')
    await page.locator('.monitor-row.is-down').waitFor()
    await pumps.report('ok')
    await page.locator('.monitor-row.is-up').waitFor()
    t.equal(await streamsAt(daemon), 1)
  })

  await t.test('a status page that nobody looks at has no stream', async (t) => {
    const json = { name: 'Calm', slug: 'calm' }
    await daemon.need('POST', `${ann.org}/status-pages`, { cookie, json })
    const { page } = await open(t, ann)
    await page.clock.install()
    const opened = page.waitForResponse('**/status/calm/events')
    await page.goto('/status/calm')
    await opened
    const ended = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/events'))
    await look(page, 'hidden')
    await page.clock.runFor(6_000)
    await ended
    const again = page.waitForResponse('**/status/calm/events')
    await look(page, 'visible')
    t.equal((await again).status(), 200)
  })
})

t.test('links in two organizations', { skip }, async (t) => {
  const { daemon, open } = await startConsole(t)
  const ann = await register(daemon, 'ann', daemon.setupToken)
  const { cookie } = ann
  const json = { name: 'Rockets' }
  const { id: rocketsId } = await daemon.need('POST', '/orgs', { cookie, json })
  const orgs = [ann, { ...ann, orgId: rocketsId, org: `/orgs/${rocketsId}` }] as const
  const [first, rockets] = orgs
  const make = async ({ org }: Owner, path: string, json: object) =>
    (await daemon.need('POST', `${org}${path}`, { cookie, json })).id as string
  const { id: pumpsId } = await addJob(daemon, first, 'Pumps')
  const { id: engineId } = await addJob(daemon, rockets, 'Engine')
  const channel = { type: 'webhook', name: 'Hook of the pumps', config: { url: daemon.url } }
  const links: readonly (readonly [path: string, title: string, orgId: string])[] = [
    [`/app/monitors/${pumpsId}`, 'Pumps', first.orgId],
    [`/app/monitors/${engineId}/edit`, 'Engine', rocketsId],
    [
      `/app/incidents/${await make(rockets, '/incidents', { title: 'No thrust' })}`,
      ...(['No thrust', rocketsId] as const),
    ],
    [
      `/app/channels/${await make(first, '/alert-channels', channel)}`,
      ...([channel.name, first.orgId] as const),
    ],
    [
      `/app/pages/${await make(rockets, '/status-pages', { name: 'Launches' })}`,
      ...(['Launches', rocketsId] as const),
    ],
  ]

  const nameOf = (orgId: string) => (orgId === rocketsId ? 'Rockets' : "ann's")
  /** The menu of organizations, on whose button the chosen one stands. */
  const choice = (page: Page, orgId: string) =>
    page.getByRole('button', { name: en.shell.organizationNow({ name: nameOf(orgId) }) })
  const shows = async (page: Page, title: string, orgId: string) => {
    await page.locator('h1, a.parent', { hasText: title }).waitFor()
    await choice(page, orgId).waitFor()
  }
  const addressNames = (page: Page, orgId: string) =>
    page.waitForURL((url) => url.searchParams.get('org') === orgId)

  await t.test('a link shows what it names, in tabs of either organization', async (t) => {
    const { page: other } = await open(t, ann)
    await other.goto(`/app/incidents?org=${first.orgId}`)
    for (const [turn, { orgId }] of orgs.entries()) {
      const page = await other.context().newPage()
      await load(page, `/app?org=${orgId}`)
      for (const [path, title, wantedOrgId] of inTurn(links, turn)) {
        await follow(page, `/app?org=${orgId}`)
        await shows(page, en.overview.title, orgId)
        await load(page, path)
        await shows(page, title, wantedOrgId)
        const name = nameOf(wantedOrgId)
        const isTold = await page.getByText(en.shell.moved({ name })).isVisible()
        t.equal(isTold, orgId !== wantedOrgId, `${path} in ${name}`)
      }
      await page.close()
    }
    t.ok(await choice(other, first.orgId).isVisible(), 'the tab beside them stays as it was')
    await other.goto(`/app/incidents/inc_${'0'.repeat(26)}`)
    await other.getByText(en.common.problems.notFound).waitFor()
    t.ok(await choice(other, first.orgId).isVisible())
  })

  await t.test('lists name their organization, and the way back keeps it', async (t) => {
    const { page } = await open(t, ann)
    await page.goto(`/app?org=${rocketsId}`)
    await page.getByRole('link', { name: en.shell.places.channels }).click()
    await shows(page, en.channels.title, rocketsId)
    await addressNames(page, rocketsId)
    const copied = page.url()
    await choice(page, rocketsId).click()
    await page.getByRole('menuitem', { name: nameOf(first.orgId) }).click()
    await addressNames(page, first.orgId)
    await page.getByText(channel.name).waitFor()
    const fresh = await page.context().newPage()
    await fresh.goto(copied)
    await shows(fresh, en.channels.title, rocketsId)
    await fresh.getByText(en.channels.empty.title).waitFor()
    await fresh.goto(incidentsUrl('', asId('org', first.orgId) ?? orgA))
    await shows(fresh, en.incidents.title, first.orgId)
    await page.goBack()
    await shows(page, en.channels.title, rocketsId)
    await page.goto('/app?org=org_00000000000000000000000000')
    await page.getByText(en.shell.notMember({ name: 'Rockets' })).waitFor()
    await shows(page, en.overview.title, rocketsId)
    await addressNames(page, rocketsId)
  })

  await t.test('a new tab shows the organization that was looked at last', async (t) => {
    const { page } = await open(t, ann)
    await page.goto(`/app?org=${first.orgId}`)
    await shows(page, en.overview.title, first.orgId)
    const fresh = await page.context().newPage()
    await fresh.goto('/app')
    await shows(fresh, en.overview.title, first.orgId)
    await fresh.getByText('Pumps').waitFor()
  })
})
