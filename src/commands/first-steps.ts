// The text of the first start: three commands to create a first monitor.
import { randomBytes } from 'node:crypto'

export interface FirstStepsInput {
  /** The address of the daemon for this machine, without a trailing slash. */
  readonly address: string
  readonly setupToken: string
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

/** The text, with a new password in it. Each command works when pasted after the previous one. */
export function firstSteps({ address, setupToken }: FirstStepsInput): string {
  const account = {
    email: 'you@example.com',
    password: randomBytes(12).toString('base64url'),
    setupToken,
  }
  const jar = 'stillup.cookies'
  const monitor = { name: 'My site', url: 'https://example.com', intervalMinutes: 1 }
  const register = curl(address, '/auth/register', account, `-c ${jar}`)
  // The shell completes the path, so it is outside the quotes.
  const key = curl(address, '/orgs/', { name: 'first key', role: 'admin' }, `-b ${jar}`)
  const create = curl(address, '/orgs/', monitor, `-H "x-api-key: $KEY"`)
  return `
This stillup has no account yet. Three commands create a first monitor:

  1. Register. Use your own e-mail address, and keep the password.

${captured('ORG', register, 's/.*"\\(org_[0-9a-z]\\{26\\}\\)".*/\\1/p')}

  2. Create an API key. It is shown only once.

${captured('KEY', `${key}"$ORG"/api-keys`, 's/.*"\\(sup_[0-9A-Za-z]*\\)".*/\\1/p')}

  3. Create a monitor. Its first check runs at once.

${create}"$ORG"/monitors

The setup token is ${setupToken} and works once. This text is printed until then.
`
}
