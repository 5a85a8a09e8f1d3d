// What the commands of the documents are tried in: a folder of its own with a daemon, an organization that has
// what the documents take for granted, and a path on which `stillup` is this program.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../test/support/api-client.ts'
import { kumaBackup } from '../../test/support/foreign-samples.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startSmtpInbox } from '../../test/support/smtp-inbox.ts'

const root = join(import.meta.dirname, '../..')
const readyTriesMax = 600
const readyPauseMs = 100

export interface DocsWorld {
  readonly url: string
  readonly folder: string
  /** The files that a document takes for granted. */
  readonly files: string
  readonly env: Readonly<Record<string, string>>
  /** What stands for `…` and for names in the documents. */
  readonly known: Readonly<Record<string, string>>
  stop(): Promise<void>
}

const password = 'a password of the documents'
const systemToken = 'a-system-token-of-the-documents'

export async function createDocsWorld(folder: string): Promise<DocsWorld> {
  const port = await freePort()
  const closers: (() => unknown)[] = []
  const inbox = await startSmtpInbox({ teardown: (close) => closers.push(close) })
  const url = `http://127.0.0.1:${port}`
  const env = {
    PATH: `${makeShims(folder)}:${process.env.PATH ?? ''}`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    STILLUP_DATA_DIR: join(folder, 'data'),
    STILLUP_HTTP_LISTEN: `127.0.0.1:${port}`,
    STILLUP_HTTP_RATE_AUTH_PER_MINUTE: '0',
    STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
    STILLUP_OBSERVER_SENTINELS: 'off',
    STILLUP_CLUSTER_STANDBY: 'true',
    STILLUP_CHECKS_CONTAINERS: '{"local": "/var/run/docker.sock"}',
    STILLUP_CHECKS_PROXIES: '{"office": "http://10.0.0.1:3128"}',
    STILLUP_CHECKS_UNITS: 'nginx.service',
    STILLUP_CHECKS_HOST: '/var',
    STILLUP_CHECKS_FILES: '/var/backups',
    STILLUP_CHECKS_BROWSERS: '/usr/bin/chromium',
    STILLUP_CHECKS_COMMANDS: '{"raid": ["/usr/lib/nagios/plugins/check_raid", "-p", "{disk}"]}',
    STILLUP_AUTH_SETUP_TOKEN: 'the-setup-token-of-the-documents',
    STILLUP_SYSTEM_TOKEN: systemToken,
    STILLUP_MAIL_SMTP_URL: inbox.url,
    STILLUP_MAIL_FROM: 'stillup <up@example.com>',
  }
  let daemon: ChildProcess | undefined

  async function start(): Promise<void> {
    const words = ['--max-semi-space-size=8', join(root, 'bin/start.cjs'), 'serve']
    daemon = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' })
    for (let tries = 0; tries < readyTriesMax; tries += 1) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      if (daemon.exitCode !== null) break
      await sleep(readyPauseMs)
    }
    throw new Error('the daemon of the documents did not start')
  }

  async function stop(): Promise<void> {
    for (const close of closers.splice(0)) await close()
    if (!daemon || daemon.exitCode !== null) return
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
  }

  await start()
  const known = await seed(url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const backup = spawn('stillup', ['backup', 'create'], { cwd: folder, env, stdio: 'ignore' })
  await once(backup, 'exit')
  return { url, folder, files: makeFiles(folder), env, known, stop }
}

/** Files of other products, a logo, settings, and the tools of this tree. */
function makeFiles(folder: string): string {
  const files = join(folder, 'files')
  const settings = join(files, 'etc/stillup')
  const shells = join(folder, '.config/fish/completions')
  for (const path of [files, settings, shells]) mkdirSync(path, { recursive: true })
  const write = (name: string, content: object) =>
    writeFileSync(join(files, name), JSON.stringify(content))
  write('backup.json', kumaBackup)
  write('checks.json', { checks: [{ name: 'Backup', timeout: 86_400, grace: 3_600 }] })
  writeFileSync(
    join(files, 'config.yaml'),
    'endpoints:\n  - name: site\n    url: https://example.com/\n',
  )
  cpSync(join(root, 'docs/pictures/status-page-phone.png'), join(files, 'logo.png'))
  cpSync(join(root, 'config/stillup.toml'), join(settings, 'stillup.toml'))
  symlinkSync(join(root, 'scripts'), join(files, 'scripts'))
  return files
}

/** Programs on the path: ours, and curl, for which a refusal is an error. */
function makeShims(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const add = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  add('stillup', `exec "${process.execPath}" "${root}/bin/start.cjs" "$@"`)
  add('npx', `[ "$1" = stillup ] || exit 64\nshift\nexec stillup "$@"`)
  add(
    'curl',
    `real=$(PATH=\${PATH#*:} command -v curl)
case " $* " in *" -f"*) ;; *) set -- --fail-with-body "$@" ;; esac
if [ -z "$ENDLESS" ]; then exec "$real" -m 20 "$@"; fi
"$real" -m 1 "$@"
[ $? = 28 ]`,
  )
  add('backup.sh', 'echo "all is saved"')
  return bin
}

/** The organization of the documents: the owner is you@example.com, its status page acme. */
async function seed(url: string): Promise<Record<string, string>> {
  const { need } = createClient(() => url)
  const { organization, token: cookie } = await need('POST', '/auth/register', {
    json: {
      ...{ email: 'you@example.com', name: 'You', password, organizationName: 'Acme' },
      setupToken: 'the-setup-token-of-the-documents',
    },
  })
  const org = `/orgs/${organization.id}`
  const make = async (path: string, json: object): Promise<string> =>
    (await need('POST', `${org}/${path}`, { cookie, json })).id
  const target = { url: `${url}/healthz`, isPublic: true }
  const monitor = await make('monitors', { ...target, name: 'Shop', tags: ['shop', 'db', 'web'] })
  const router = await make('monitors', { ...target, name: 'Router' })
  const channel = await make('alert-channels', {
    ...{ name: 'Receiver', type: 'webhook', config: { url: 'https://hooks.example.com/alerts' } },
  })
  const page = await make('status-pages', { name: 'Acme', slug: 'acme' })
  const ada = await need('POST', `${org}/invites`, {
    cookie,
    json: { email: 'ada@example.com', role: 'owner' },
  })
  const joined = await need('POST', `/invites/${ada.token}/join`, {
    json: { name: 'Ada', password },
  })
  await make('monitors', { name: 'Job', checkType: 'push', intervalMinutes: 60 })
  const { key } = await need('POST', `${org}/api-keys`, {
    cookie,
    json: { name: 'documents', role: 'admin' },
  })
  return {
    ...{
      ORG: organization.id,
      MONITOR: monitor,
      SHOP: monitor,
      ROUTER: router,
      PAGE: page,
      KEY: key,
    },
    ...{ SESSION: cookie, CHANNEL: channel, USER: joined.user?.id ?? '', PASSWORD: password },
    TOKEN: systemToken,
  }
}
