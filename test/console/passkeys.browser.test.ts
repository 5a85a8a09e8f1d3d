// Passkeys in a real browser with an authenticator of its own: added in the profile, used at the sign-in page
// by a button and among what the browser fills in, and to confirm who is there.
import type { CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { skipWithoutBrowser as skip } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { startConsole } from '../support/console-tab.ts'
import { freePort } from '../support/free-port.ts'

interface Authenticator {
  readonly client: CDPSession
  readonly authenticatorId: string
}

/** A device with a finger that is always right. */
async function plugIn(page: Page): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options })
  return { client, authenticatorId }
}

/**
 * At the page that has a way to go on, what the browser offers where the address is typed stays open: a finger
 * that is always there would take it before the button is pressed.
 */
const offerStaysOpen = `
  const get = navigator.credentials.get.bind(navigator.credentials)
  if (location.search.includes('redirectUri')) {
    navigator.credentials.get = (options) => {
      if (options?.mediation !== 'conditional') return get(options)
      sessionStorage.setItem('offer', 'open')
      return new Promise((_, refuse) => {
        options.signal.addEventListener('abort', () => {
          sessionStorage.setItem('offer', 'taken back')
          refuse(options.signal.reason)
        })
      })
    }
  }`

t.test('passkeys in the browser', { skip }, async (t) => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const { daemon, open } = await startConsole(t, {
    env: { HTTP_LISTEN: `127.0.0.1:${port}`, HTTP_BASE_URL: origin },
  })
  const owner = await register(daemon, 'nora')
  const { page } = await open(t, owner)
  await page.context().addCookies([{ name: 'auth-token', value: owner.cookie, url: origin }])
  const { client, authenticatorId } = await plugIn(page)

  await t.test('one is added, and the device has no second one of the account', async (t) => {
    await page.goto(`${origin}/app/profile`)
    const card = page.locator('section', { hasText: 'Passkeys' }).first()
    await card.getByText('You have no passkey yet.').waitFor()
    await card.getByLabel('Name of the new passkey').fill('Work laptop')
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    await card.locator('tr', { hasText: 'Work laptop' }).getByText('never used').waitFor()
    const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId })
    t.match(credentials, [{ rpId: 'localhost', isResidentCredential: true }])
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('This device has a passkey of your account already.').waitFor()
  })

  const stateOfOffer = () => page.evaluate(() => sessionStorage.getItem('offer'))

  await t.test('the button of the sign-in page signs in where the person was going', async (t) => {
    await page.addInitScript(offerStaysOpen)
    await page.context().clearCookies()
    await page.goto(`${origin}/sign-in?redirectUri=%2Fapp%2Fprofile`)
    await page.waitForFunction(() => sessionStorage.getItem('offer') === 'open')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/app\/profile$/)
    t.equal(await stateOfOffer(), 'taken back')
    await page.locator('tr', { hasText: 'Work laptop' }).getByText('used').waitFor()
  })

  await t.test('one who is quicker than the offer is not interrupted by it', async (t) => {
    await page.context().clearCookies()
    await page.evaluate(() => sessionStorage.removeItem('offer'))
    const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>()
    const { promise: offered, resolve: isOffered } = Promise.withResolvers<void>()
    let isFirst = true
    await page.route('**/auth/passkeys/sign-in', async (route) => {
      const isOffer = isFirst
      isFirst = false
      if (isOffer) await pressed
      if (route.request().method() === 'POST') {
        isPressed()
        await offered
      }
      await route.fulfill({ response: await route.fetch() })
      if (isOffer) isOffered()
    })
    await page.goto(`${origin}/sign-in?redirectUri=%2Fapp%2Fprofile`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/app\/profile$/)
    t.equal(await stateOfOffer(), null)
    await page.unroute('**/auth/passkeys/sign-in')
  })

  await t.test('one who presses twice is asked once', async (t) => {
    await page.context().clearCookies()
    await page.goto(`${origin}/sign-in?redirectUri=%2Fapp%2Fprofile`)
    await page.waitForFunction(() => sessionStorage.getItem('offer') === 'open')
    const { promise: pressed, resolve: isPressed } = Promise.withResolvers<void>()
    let questions = 0
    await page.route('**/auth/passkeys/sign-in', async (route) => {
      if (route.request().method() === 'GET') questions += 1
      await pressed
      await route.continue()
    })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).dblclick()
    isPressed()
    await page.waitForURL(/\/app\/profile$/)
    t.equal(questions, 1)
    await page.unroute('**/auth/passkeys/sign-in')
  })

  await t.test('the browser offers it where the address is typed', async () => {
    await page.context().clearCookies()
    await page.goto(`${origin}/sign-in`)
    await page.waitForURL(/\/app$/)
  })

  await t.test('one gets another name', async () => {
    await page.goto(`${origin}/app/profile`)
    const card = page.locator('section', { hasText: 'Passkeys' }).first()
    await card.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename the passkey Work laptop' })
    await dialog.getByLabel('Name').fill('Old laptop')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.locator('tr', { hasText: 'Old laptop' }).waitFor()
  })

  await t.test('one that was removed is refused, with a reason', async () => {
    await page.goto(`${origin}/app/profile`)
    const card = page.locator('section', { hasText: 'Passkeys' }).first()
    await card.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await card.getByText('You have no passkey yet.').waitFor()
    await page.context().clearCookies()
    await page.goto(`${origin}/sign-in`)
    const alert = page.getByRole('alert')
    await alert.getByText('This passkey is not known here').waitFor()
  })
})
