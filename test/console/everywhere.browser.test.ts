// Every state of the console that its journeys do not pass: no barrier, nothing cut off, nothing that
// moves unasked, and German.

import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { checkTypes } from '../../src/probes/registry.ts'
import { fieldRules, looksOf } from '../support/axe.ts'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { mintKey, needOf, password, register } from '../support/cast.ts'
import {
  answerOnce,
  button,
  choose,
  drawn,
  fieldsIn,
  kumaList,
  openDetails,
  overhang,
  type Place,
  startAt,
} from '../support/console-states.ts'
import { startConsole } from '../support/console-tab.ts'
import { de, en } from '../support/console-words.ts'
import type { Daemon } from '../support/daemon.ts'
import { isDeep } from '../support/depth.ts'

const tabs = (path: string, names: string) =>
  names.split(' ').map((name): Place => ({ path: `${path}?tab=${name}` }))

const places: readonly Place[] = [
  ...[
    '/app',
    '/app/incidents',
    '/app/maintenance',
    '/app/locations',
    '/app/channels',
    '/app/pages',
  ].map((path): Place => ({ path })),
  ...tabs('/app/system', 'info settings tasks backups errors users organizations kyc'),
  ...tabs('/app/people', 'members invites keys audit organization'),
  ...['/app/profile', '/app/pages/new', '/app/setup', '/app/nowhere'].map(
    (path): Place => ({ path }),
  ),
  { path: '/app/monitors/mon_00000000000000000000000000' },
  { path: '/app/channels/chn_00000000000000000000000000' },
  {
    path: '/app/incidents',
    name: 'a new incident',
    act: (page, { incidents }) => button(page, incidents.declare).click(),
  },
  {
    path: '/app/maintenance',
    name: 'planned work',
    act: (page, { maintenance }) => button(page, maintenance.add).click(),
  },
  {
    path: '/app/maintenance',
    name: 'planned work by a schedule',
    act: async (page, { maintenance }) => {
      await button(page, maintenance.add).click()
      await page.getByLabel(maintenance.recurring).check()
    },
  },
  ...[
    ['help', '?'],
    ['palette', 'Control+k'],
  ].map(
    ([name = '', key = '']): Place => ({
      ...{ path: '/app', name },
      act: async (page) => {
        await drawn(page)
        await page.keyboard.press(key)
        await page.getByRole('dialog').waitFor()
      },
    }),
  ),
  {
    path: '/app/pages/new',
    name: 'a form with problems',
    act: async (page, { statusPages }) => {
      await button(page, statusPages.create).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    path: '/app/monitors/new',
    more: checkTypes.map((kind) => ({
      name: `a monitor of the kind ${kind}`,
      act: async (page) => {
        await page.locator(`[name=checkType][value=${kind}]`).check()
      },
    })),
  },
]

interface State {
  readonly what: string
  /** The rules that it can break; all if none is named. */
  readonly rules: readonly string[]
}

const wide = { width: 1_440, height: 900 }

/**
 * Shows each state in turn, in one tab. Of states that follow in one document, a usual run takes those with a
 * field that none before had.
 */
async function* statesIn(
  page: Page,
  places: readonly Place[],
  words: typeof en,
): AsyncGenerator<State> {
  for (const { path, name = '', act, more = [] } of places) {
    await page.setViewportSize(wide)
    await startAt(page, path)
    await act?.(page, words)
    await openDetails(page)
    yield { what: `${path} ${name}`, rules: [] }
    const shown = new Set<string>()
    for (const { name, act } of more) {
      await page.setViewportSize(wide)
      await act(page)
      await openDetails(page)
      const fields = await fieldsIn(page)
      if (!isDeep && fields.every((field) => shown.has(field))) continue
      for (const field of fields) shown.add(field)
      yield { what: `${path} ${name}`, rules: isDeep ? [] : fieldRules }
    }
  }
}

/** What the page consists of, apart from what is written in it: its fields, and what else looks different. */
const partsIn = (page: Page): Promise<string[]> =>
  page.evaluate(`[...new Set([...document.querySelectorAll('body *')].map((one) =>
    one.id.startsWith('field-') ? one.id :
    [one.localName, ...['class', 'role', 'type'].map((name) => one.getAttribute(name))].join()))]`)

/** The texts of one catalogue that the other has in different words. */
function textsOnlyIn(own: object, other: object, found = new Set<string>()): Set<string> {
  for (const [name, value] of Object.entries(own)) {
    const same = (other as Record<string, unknown>)[name]
    if (typeof value === 'string' && value !== same) found.add(value)
    else if (typeof value === 'object') textsOnlyIn(value, same as object, found)
  }
  return found
}

/** Every text that somebody reads or hears, apart from those that say that they are English. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = []
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) {
      const { parentElement, data } = walk.currentNode
      if (!parentElement.closest('code, [lang=en]')) found.push(data.trim())
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const one of document.querySelectorAll('[' + name + ']'))
        if (!one.closest('[lang=en]')) found.push(one.getAttribute(name))
    return found
  })()`)

/** Choices of which none is shown, not even what holds without one. */
const emptyChoices = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('select')]
    .filter((one) => one.selectedIndex < 0)
    .map((one) => one.outerHTML.slice(0, 120))`)

/** What is cut off: wider than its box, which hides the rest. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, a, label, h1, h2, th, option, .state')]
    .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 &&
      getComputedStyle(one).overflowX !== 'visible')
    .map((one) => one.outerHTML.slice(0, 120))`)

async function fits(t: Test, page: Page, what: string): Promise<void> {
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    t.ok((await overhang(page)) <= 0, `${what} fits into ${width} px`)
  }
}

/** What moves although the person asked for no motion. */
const motionIn = (page: Page): Promise<string[]> =>
  page.evaluate(`[
    ...scrolledSmoothly,
    ...document.getAnimations().map((one) => one.effect?.target?.outerHTML.slice(0, 120)),
    ...[...document.querySelectorAll('*')].filter((one) => {
      const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one)
      return animationName !== 'none' || transitionDuration !== '0s' || scrollBehavior === 'smooth'
    }).map((one) => one.outerHTML.slice(0, 120)),
  ]`)

/** Runs before the page: notes what it scrolls, or animates, other than at once. */
const watchMotion = `
  globalThis.scrolledSmoothly = []
  for (const [owner, name] of [
    ...['scrollIntoView', 'scrollTo', 'scrollBy', 'animate'].map((one) => [Element.prototype, one]),
    ...['scrollTo', 'scrollBy'].map((one) => [window, one]),
  ]) {
    const own = owner[name]
    owner[name] = function (...args) {
      const isSmooth = args.some((one) => one?.behavior === 'smooth')
      if (isSmooth || name === 'animate') scrolledSmoothly.push(name)
      return own.apply(this, args)
    }
  }`

t.test('every state of the console', { skip }, async (t) => {
  const { daemon, browser, open } = await startConsole(t)

  await t.test('the first run has no barrier in any step', async (t) => {
    const { page } = await browser.open(t, { locale: 'de-DE', reducedMotion: 'reduce' })
    await page.goto(`/app/setup#${daemon.setupToken}`)
    await page.locator('#field-email').waitFor()
    const look = await looksOf(page)
    await look(t, 'the account')
    // By keyboard alone.
    await page.keyboard.type('ann@example.com')
    await page.keyboard.press('Tab')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await page.locator('#field-password[aria-invalid=true]:focus').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(password)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Acme')
    await page.keyboard.press('Enter')
    await page.locator('#field-address:focus').waitFor()
    await look(t, 'the monitor')
    await page.keyboard.type(`${daemon.url}/healthz`)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: de.setup.next }).waitFor()
    await look(t, 'the first check')
    await page.getByRole('button', { name: de.setup.next }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(de.setup.channel.type).waitFor()
    await look(t, 'the channel')
    await page.getByRole('button', { name: de.setup.skip }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel(de.setup.page.name).waitFor()
    await look(t, 'the page')
    await page.getByRole('button', { name: de.setup.page.submit }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: de.setup.doneTitle }).waitFor()
    await look(t, 'the end')
  })

  const { token } = await daemon.need('POST', '/auth/login', {
    json: { email: 'ann@example.com', password },
  })
  const { organizations } = await daemon.need('GET', '/auth/session', { cookie: token })
  const org = `/orgs/${organizations[0].id}`
  const need = needOf(daemon, { org, cookie: token })
  const [{ id }] = await need('GET', '/monitors')
  await need('DELETE', `/monitors/${id}`)
  const [{ id: pageId }] = await need('GET', '/status-pages')
  const wall = await makeWall(daemon)
  const onPage = (name: string, act: Place['act']): Place => ({
    ...{ path: `/app/pages/${pageId}`, name },
    ...(act ? { act } : {}),
  })
  let theirs = 0
  const kept: readonly Place[] = [
    ...tabs(`/app/pages/${pageId}`, 'settings subscribers domain'),
    { path: `/app/wall#${wall.key}`, name: 'with an outage' },
    { path: '/app/wall#no-key', name: 'whose key is gone' },
    onPage('a question before a deletion', (page, { common }) =>
      button(page, common.actions.remove).click(),
    ),
    onPage('a note with a way back', async (page, { statusPages, common }) => {
      await button(page, statusPages.disable).or(button(page, statusPages.enable)).click()
      await page.locator('.toast').getByRole('button', { name: common.actions.undo }).waitFor()
    }),
    onPage('a conflict', async (page, { common }) => {
      await page.fill('#field-name', 'Mine')
      theirs += 1
      await need('PATCH', `/status-pages/${pageId}`, { name: `Theirs ${theirs}` })
      await button(page, common.actions.save).click()
      await button(page, common.conflict.keepMine).waitFor()
    }),
    {
      path: '/app/import',
      name: 'a file with problems',
      act: async (page) => {
        const wrong = { name: 'Shop', checkType: 'endpoint', url: 'nonsense' }
        const document = { format: 'stillup/1', monitors: [wrong, { ...wrong, url: 'https://' }] }
        await choose(page, 'acme.json', JSON.stringify(document))
        await page.getByRole('alert').waitFor()
      },
    },
    {
      path: '/app/import',
      name: 'what a file would create',
      act: async (page, { moving }) => {
        await choose(page, 'kuma.json', kumaList(daemon.url))
        await button(page, moving.submit).waitFor()
      },
    },
    {
      path: '/app/profile',
      name: 'a session that ended',
      act: async (page, { profile }) => {
        await answerOnce(page, '/auth/totp', 401, 'unauthenticated')
        await button(page, profile.factor.turnOn).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    {
      path: '/app/profile',
      name: 'the password once more',
      act: async (page, { profile }) => {
        await answerOnce(page, '/auth/totp', 403, 'reauthentication_required')
        await button(page, profile.factor.turnOn).click()
        await page.getByRole('dialog').waitFor()
      },
    },
  ]

  await t.test('no barrier, all in German, nothing cut off, and nothing moves', async (t) => {
    const german = { locale: 'de-DE', reducedMotion: 'reduce' } as const
    const { page } = await open(t, { cookie: token }, german)
    await page.context().addInitScript(watchMotion)
    const look = await looksOf(page)
    const english = textsOnlyIn(en, de)
    const seen = new Set<string>()
    for await (const { what, rules } of statesIn(page, [...places, ...kept], de)) {
      // A usual run holds against axe what has a part that none before had.
      const parts = await partsIn(page)
      if (isDeep || parts.some((part) => !seen.has(part))) await look(t, what, ...rules)
      else await fits(t, page, what)
      const isWhole = (part: string) => rules.length === 0 || part.startsWith('field-')
      for (const part of parts.filter(isWhole)) seen.add(part)
      t.same(
        (await textsOf(page)).filter((text) => english.has(text)),
        [],
        `${what} has no English text`,
      )
      t.equal(await page.getAttribute('html', 'lang'), 'de', `${what} says that it is German`)
      t.same(await emptyChoices(page), [], `${what} has no choice that shows nothing`)
      t.same(await cutOff(page), [], `${what} cuts nothing off`)
      t.same(await motionIn(page), [], `${what} moves nothing`)
    }
  })

  // Each run sees the German texts, which are longer.
  const skipUsually = !isDeep && 'a matter of quantity: in deep runs'
  await t.test('axe finds no barrier in English, in any', { skip: skipUsually }, async (t) => {
    const { page } = await open(t, { cookie: token })
    const look = await looksOf(page)
    for await (const { what, rules } of statesIn(page, [...places, ...kept], en)) {
      await look(t, what, ...rules)
    }
  })
})

/** Somebody else's wall: a monitor that is down, and one that is up. */
async function makeWall(daemon: Daemon): Promise<{ readonly key: string }> {
  const owner = await register(daemon, 'wall')
  const { cookie } = owner
  for (const status of ['error', 'ok']) {
    const json = { name: `Job ${status}`, checkType: 'push', failureThreshold: 1 }
    const { pushToken } = await daemon.need('POST', `${owner.org}/monitors`, { cookie, json })
    await daemon.ask('POST', `/api/v1/push/${pushToken}`, { json: { status } })
  }
  return { key: await mintKey(daemon, owner, 'viewer') }
}
