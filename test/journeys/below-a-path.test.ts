// Below a path of a host, behind nginx and Caddy with the lines of docs/reverse-proxy.md: every page, address and cookie
// has the path, in a real browser, too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ensureConsole } from '../../scripts/console/build.ts'
import { skipWithoutBrowser, startBrowser } from '../support/browser.ts'
import { password } from '../support/cast.ts'
import { prepareCaddy, prepareNginx } from '../support/child-peer.ts'
import { startDaemon } from '../support/daemon.ts'
import { isDeep } from '../support/depth.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithout } from '../support/programs.ts'

const manual = readFileSync(join(import.meta.dirname, '../../docs/reverse-proxy.md'), 'utf8')
const below = '/stillup'

/** The lines of the manual for a proxy. */
function manualLines(proxy: Proxy, port: number): string {
  const found = new RegExp(`## Below a path[^]+?\`\`\`${fences[proxy]}\\n([^]+?)\`\`\``).exec(
    manual,
  )
  const [, block = ''] = found ?? []
  if (!block.includes(below)) throw new Error(`docs/reverse-proxy.md has no lines for ${proxy}`)
  return block.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
}

/** Beside another application of the host. Returns the port of the proxy, and what starts it. */
const proxies = {
  async nginx(t: Test, port: number) {
    const other = 'location / { return 200 "another application"; }'
    const nginx = await prepareNginx(t, `${manualLines('nginx', port)}\n${other}`)
    return { port: nginx.port, start: () => nginx.start() }
  },
  async caddy(t: Test, port: number) {
    const caddy = await prepareCaddy(t)
    const site = `http://127.0.0.1:${caddy.port} {\nhandle {\nrespond "another application"\n}`
    const sites = manualLines('caddy', port).replace('example.com {', site)
    return { port: caddy.port, start: () => caddy.start(sites, '', caddy.port) }
  },
}
type Proxy = keyof typeof proxies

const fences = { nginx: 'nginx', caddy: 'caddyfile' } as const satisfies Record<Proxy, string>

async function start(t: Test, name: Proxy) {
  const port = await freePort()
  const proxy = await proxies[name](t, port)
  const origin = `http://127.0.0.1:${proxy.port}`
  const base = origin + below
  const daemon = await startDaemon(t, {
    env: { HTTP_LISTEN: `127.0.0.1:${port}`, HTTP_BASE_URL: base },
  })
  await proxy.start()
  return { daemon, origin, base, direct: `http://127.0.0.1:${port}` }
}

async function testAddresses(t: Test, name: Proxy): Promise<void> {
  const { base, origin, direct } = await start(t, name)
  const open = (path: string, init: RequestInit = {}) =>
    fetch(base + path, { redirect: 'manual', ...init })
  const register = { email: 'ada@example.com', password }
  const headers = { 'content-type': 'application/json' }
  const made = await open('/api/v1/auth/register', {
    ...{ method: 'POST', headers, body: JSON.stringify(register) },
  })
  t.equal(made.status, 200)
  const cookies = made.headers.getSetCookie()
  t.match(cookies[0], '; Path=/stillup;')
  t.match(cookies[1], '; Path=/stillup/api/v1;')
  const { data } = (await made.json()) as { data: { organization: { id: string }; token: string } }
  const cookie = `auth-token=${data.token}`
  const page = { name: 'Acme', slug: 'acme', isEnabled: true, title: 'Acme' }
  const pages = `/api/v1/orgs/${data.organization.id}/status-pages`
  const created = await open(pages, {
    ...{ method: 'POST', headers: { ...headers, cookie }, body: JSON.stringify(page) },
  })
  t.match(await created.json(), { data: { url: `${base}/status/acme` } })

  const bare = await fetch(base, { redirect: 'manual' })
  t.match(bare.headers.get('location'), /\/stillup\/$/, 'without a slash it leads on')
  const paths = ['/', '/sign-in', '/register', '/app', '/app/profile', '/docs', '/guide']
  for (const path of [...paths, '/problems', '/status/acme', '/status/acme/history', '/nothing']) {
    const answer = await open(path)
    const text = await answer.text()
    t.equal(answer.status, path === '/nothing' ? 404 : 200, path)
    for (const [attribute, value = ''] of text.matchAll(/\s(?:href|src|action)="(\/[^"]*)"/g)) {
      if (value.startsWith('//')) continue
      t.ok(value === below || value.startsWith(`${below}/`), `${path}: ${attribute}`)
    }
    for (const [, style = ''] of text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
      const css = await (await fetch(origin + style)).text()
      t.notMatch(css, /url\("?\/(?!stillup\/)/, style)
    }
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin }
  const login = new URLSearchParams({ ...register, redirectUri: '/app/profile' })
  const entered = await open('/api/v1/auth/login', { method: 'POST', headers: form, body: login })
  t.equal(entered.headers.get('location'), `${below}/app/profile`)
  const feed = await (await open('/status/acme/feed.atom')).text()
  t.notMatch(feed.replaceAll(base, ''), origin, 'feeds have the path')
  const without = await fetch(`${direct}/sign-in`)
  t.match(await without.text(), 'action="/api/v1/auth/login"', 'the daemon itself is as ever')
  t.match(await (await fetch(`${origin}/api`)).text(), 'another application')
}

async function testConsole(t: Test, name: Proxy): Promise<void> {
  await ensureConsole()
  const { base, origin } = await start(t, name)
  const { page, complaints } = await (await startBrowser(origin)).open(t, { locale: 'en-GB' })
  await page.goto(`${base}/register`)
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Choose a password').fill(password)
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.waitForURL(`${base}/app`)
  await page.getByRole('link', { name: 'Incidents' }).first().click()
  await page.waitForURL(/\/stillup\/app\/incidents/)
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.locator('.connection.is-live').waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Incidents', exact: true }).waitFor()
  await page.goto(`${base}/app/profile`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(new RegExp(`^${base}/?$`))
  await page.goto(`${base}/app/profile`)
  await page.waitForURL(`${base}/sign-in?redirectUri=%2Fapp%2Fprofile`)
  await page.getByLabel('E-mail address').first().fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${base}/app/profile`)
  t.same(
    complaints.filter((one) => !/401/.test(one)),
    [],
  )
}

for (const name of ['nginx', 'caddy'] as const) {
  const skip = skipWithout(name)
  const about = `behind ${name} every address has the path, and none without it is given out`
  t.test(about, { skip }, (t) => testAddresses(t, name))
  // What a browser asks for went through either proxy above.
  const isRepeated = name !== 'nginx' && !isDeep && 'a matter of quantity: in deep runs'
  const withBrowser = { skip: skip || skipWithoutBrowser || isRepeated }
  t.test(`behind ${name} the console works below the path`, withBrowser, (t) =>
    testConsole(t, name),
  )
}
