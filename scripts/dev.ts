// npm run dev: runs the daemon from its sources, and starts it again, with the console built anew, after
// each change. Its data in data/dev begin with an account, monitors in every state, a channel and a page.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, watch } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../test/support/api-client.ts'

const root = join(import.meta.dirname, '..')
const listen = process.env.STILLUP_HTTP_LISTEN ?? '127.0.0.1:8080'
const dataDir = process.env.STILLUP_DATA_DIR ?? join(root, 'data/dev')
const url = `http://${listen}`
const email = 'dev@example.com'
const password = 'a password for development'
const setupToken = 'the-token-of-npm-run-dev'

/** Settings for a daemon that only this machine reaches; those of the environment come first. */
const env = {
  STILLUP_HTTP_LISTEN: listen,
  STILLUP_DATA_DIR: dataDir,
  STILLUP_AUTH_SETUP_TOKEN: setupToken,
  STILLUP_CHECKS_TARGETS: 'any',
  STILLUP_LOG_FORMAT: 'pretty',
  ...process.env,
}

/** What is checked, and where alerts go: a server in this process. */
const targetsPort = 8180
const targets = `http://127.0.0.1:${targetsPort}`

function serveTargets(): void {
  const server = createServer(async (request, response) => {
    const [, place = ''] = (request.url ?? '').split('/')
    if (place === 'slow') await sleep(1_500)
    if (place === 'alerts') console.error(`dev: an alert: ${await text(request)}`)
    // Fails for five minutes of each quarter of an hour.
    const isDown = place === 'down' || (place === 'unstable' && new Date().getMinutes() % 15 < 5)
    response.statusCode = isDown ? 503 : 200
    response.end(JSON.stringify({ place, isDown }))
  })
  server.listen(targetsPort, '127.0.0.1')
}

/** Runs a script of this tree to its end; false if it failed, after it said why. */
async function isDone(script: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, script), ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code === 0
}

let daemon: ChildProcess | undefined

async function stop(): Promise<void> {
  if (!daemon || daemon.exitCode !== null) return
  daemon.kill('SIGTERM')
  await once(daemon, 'exit')
}

async function restart(): Promise<void> {
  await stop()
  // What does not build is told; the daemon then serves the console of before.
  await isDone('scripts/console/build.ts', '--development')
  await isDone('scripts/guide/build.ts')
  // Ctrl-C is for this process, which then stops it: a second signal would stop it at once.
  const options = { stdio: 'inherit', env, detached: true } as const
  daemon = spawn(process.execPath, [join(root, 'src/main.ts'), 'serve'], options)
}

async function isReady(): Promise<boolean> {
  for (let tries = 0; tries < 300 && daemon?.exitCode === null; tries += 1) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return true
    await sleep(100)
  }
  return false
}

async function seed(): Promise<void> {
  const { need } = createClient(() => url)
  const { organization, token: cookie } = await need('POST', '/auth/register', {
    json: { email, password, name: 'Dev', organizationName: 'Development', setupToken },
  })
  const make = (path: string, json: object) =>
    need('POST', `/orgs/${organization.id}/${path}`, { cookie, json })
  await make('alert-channels', {
    name: 'This terminal',
    type: 'webhook',
    config: { url: `${targets}/alerts` },
    isDefault: true,
  })
  const watched = { isPublic: true, intervalMinutes: 1 }
  for (const name of ['Up', 'Slow', 'Unstable', 'Down']) {
    const target = `${targets}/${name.toLowerCase()}`
    await make('monitors', {
      ...watched,
      name,
      url: target,
      degradedThresholdMs: 1_000,
    })
  }
  await make('monitors', { ...watched, name: 'Job', checkType: 'push', intervalMinutes: 60 })
  await make('monitors', { ...watched, name: 'Paused', url: `${targets}/up`, isActive: false })
  await make('status-pages', { name: 'Development', slug: 'dev' })
}

/** Whether a change of this file makes a difference to what runs. */
const isSource = (file: string) =>
  !/^(console|pages\/guide)\/(built|generated)\/|~$|\.(md|swp)$/.test(file)

async function main(): Promise<void> {
  const isNew = !existsSync(join(dataDir, 'data.mdb'))
  mkdirSync(dataDir, { recursive: true })
  serveTargets()
  process.on('exit', () => daemon?.kill('SIGTERM'))
  await restart()
  if (!(await isReady())) process.exit(1)
  if (isNew) await seed()
  console.error(
    `dev: ${url}/app, sign in as ${email} with "${password}"; the page is ${url}/status/dev, ` +
      `all parts are at ${url}/app/look`,
  )
  let isChanged = false
  watch(join(root, 'src'), { recursive: true }, (_, file) => {
    isChanged ||= file !== null && isSource(file)
  })
  watch(join(root, 'docs'), () => {
    isChanged = true
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      await stop()
      process.exit()
    })
  }
  for (;;) {
    // An editor writes several files at once.
    await sleep(200)
    if (!isChanged) continue
    isChanged = false
    console.error('dev: the sources changed')
    await restart()
  }
}

await main()
