// What a start prints: before the first account the way to a status page and an alert, later where
// everything is.
import { randomBytes } from 'node:crypto'

export interface FirstStepsInput {
  /** The address of the daemon for this machine, without a trailing slash. */
  readonly address: string
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  readonly setupToken: string
  /** Whether monitors and channels may lead to this machine. */
  readonly isLocalAllowed: boolean
  /** Whether `node` can be run here: it receives the alerts of the last steps. */
  readonly hasNode: boolean
}

export interface DaemonAddresses {
  readonly baseUrl: string
  /** The addresses for browsers, the one of this machine first. */
  readonly addresses: readonly string[]
  readonly statusPages: readonly string[]
  /** How this program is called here. */
  readonly program: string
}

/** Where everything is, for a start with accounts. */
export function places({ baseUrl, addresses, statusPages, program }: DaemonAddresses): string {
  const others = addresses.filter((address) => address !== baseUrl)
  return `
stillup is at ${baseUrl}${others.length > 0 ? `, and listens on ${others.join(', ')}` : ''}
  console         ${baseUrl}/app
  API reference   ${baseUrl}/docs
${statusPages.map((page) => `  status page     ${page}\n`).join('')}\
Lost your password? ${program} user reset-password you@example.com
`
}

/** The text, with a new password in it. Each command works when pasted after the previous one. */
export function firstSteps(input: FirstStepsInput): string {
  const { address, baseUrl, setupToken, isLocalAllowed, hasNode } = input
  const hasAlerts = isLocalAllowed && hasNode
  return `
stillup is at ${baseUrl} and has no account yet. Set it up in a browser:
${baseUrl}/app/setup#${setupToken}

Or in another terminal, up to a status page${hasAlerts ? ' and a first alert' : ''}. Paste one step after the other.

${accountSteps(address, setupToken)}
${monitorSteps(address, baseUrl, isLocalAllowed)}
${hasAlerts ? alertSteps : alertsElsewhere(baseUrl, isLocalAllowed)}
Then sign in at ${baseUrl}/sign-in with the address and the password of step 1.
This text is printed until the first account exists; the setup token works once.
`
}

function accountSteps(address: string, setupToken: string): string {
  const account = {
    email: 'you@example.com',
    password: randomBytes(12).toString('base64url'),
    setupToken,
  }
  const jar = 'stillup.cookies'
  const register = curl(address, '/auth/register', account, `-c ${jar}`)
  // The shell completes the path, so it is outside the quotes.
  const key = curl(address, '/orgs/', { name: 'first key', role: 'admin' }, `-b ${jar}`)
  return `  1. Register. Use your own e-mail address, and keep the password.

${captured('ORG', register, 's/.*"\\(org_[0-9a-z]\\{26\\}\\)".*/\\1/p')}

  2. Create an API key. It is shown only once.

${captured('KEY', `${key}"$ORG"/api-keys`, 's/.*"\\(sup_[0-9A-Za-z]*\\)".*/\\1/p')}
api() { curl -sS -w '\\n' -H "x-api-key: $KEY" -H 'content-type: application/json' ${quoted(`${address}/api/v1/orgs/`)}"$ORG/$@"; }
`
}

function monitorSteps(address: string, baseUrl: string, isLocalAllowed: boolean): string {
  const url = isLocalAllowed ? `${address}/healthz` : 'https://example.com'
  const website = { name: 'Website', url, isPublic: true, intervalMinutes: 1 }
  const backup = {
    name: 'Nightly backup',
    checkType: 'push',
    isPublic: true,
    intervalMinutes: 1440,
  }
  return `  3. Two public monitors. The first checks a URL; the second waits for reports of a job.

${made('monitors', website)}
${captured('PUSH', made('monitors', backup), 's/.*"pushUrl":"\\([^"]*\\)".*/\\1/p')}

  4. A status page, and a report of the job. Then open ${baseUrl}/status/acme

${made('status-pages', { name: 'Acme', slug: 'acme' })}
curl -sS -w '\\n' "$PUSH"
`
}

const receiver =
  `node -e 'require("http").createServer((q, s) => ` +
  `{ q.on("end", () => process.stdout.write("\\n")).pipe(process.stdout, {end: false}); ` +
  `s.end() }).listen(9000)'`

const alertSteps = `  5. A receiver for alerts, in a third terminal: it prints every message.

${receiver}

  6. A channel to it, and an outage: the receiver prints incident.opened.

${made('alert-channels', {
  name: 'terminal',
  type: 'webhook',
  isDefault: true,
  config: { url: 'http://127.0.0.1:9000' },
})}
curl -sS -w '\\n' "$PUSH/error"

  7. The end of the outage: the receiver prints incident.resolved.

curl -sS -w '\\n' "$PUSH"
`

function alertsElsewhere(baseUrl: string, isLocalAllowed: boolean): string {
  const why = isLocalAllowed ? '' : '. This machine is no target here (checks.targets).'
  return `Alerts: once signed in, add a channel at ${baseUrl}/app/channels${why}\n`
}

/** A command with the function that step 2 defines. */
function made(path: string, body: object): string {
  return `api ${path} -d ${quoted(JSON.stringify(body))}`
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function curl(address: string, path: string, body: object, ...options: string[]): string {
  const json = `-H 'content-type: application/json' -d ${quoted(JSON.stringify(body))}`
  return ["curl -sS -w '\\n'", ...options, json, quoted(`${address}/api/v1${path}`)].join(' ')
}

/** A command that shows the response on the terminal and stores what a sed expression finds. */
function captured(variable: string, command: string, expression: string): string {
  return `${variable}=$(${command} | tee /dev/stderr | sed -n ${quoted(expression)})`
}
