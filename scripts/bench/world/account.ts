// What a user does first, over the API: registers, makes an API key, creates things with it.
import { type Daemon, setupToken } from './daemon.ts'

export interface Account {
  readonly orgId: string
  readonly apiKey: string
  /** POSTs under the organization; gives the data of the answer. */
  create(daemon: Daemon, path: string, body: object): Promise<Record<string, unknown>>
}

const person = { email: 'bench@example.com', password: 'Vg7-bench-only-Kq2' }

export async function openAccount(daemon: Daemon): Promise<Account> {
  const registered = await post(daemon, '/auth/register', {}, { ...person, setupToken })
  const cookie = cookieOf(registered.cookies)
  const orgId = /org_[0-9a-z]{26}/.exec(JSON.stringify(registered.data))?.[0] ?? ''
  const body = { name: 'bench', role: 'admin' }
  const key = await post(daemon, `/orgs/${orgId}/api-keys`, { cookie }, body)
  const apiKey = String(key.data.key)
  return {
    orgId,
    apiKey,
    async create(daemon, path, body) {
      const headers = { 'x-api-key': apiKey }
      const { data } = await post(daemon, `/orgs/${orgId}${path}`, headers, body)
      return data
    },
  }
}

/** A new session of the account: its cookie. */
export async function signIn(daemon: Daemon): Promise<string> {
  return cookieOf((await post(daemon, '/auth/login', {}, person)).cookies)
}

/** A location with so many probes, which only a person can make: its id, and their tokens. */
export async function addLocation(daemon: Daemon, { orgId }: Account, probes: number) {
  const headers = { cookie: await signIn(daemon) }
  const path = `/orgs/${orgId}/locations`
  const { id } = (await post(daemon, path, headers, { name: 'Elsewhere' })).data
  const tokens: string[] = []
  for (let number = 1; number <= probes; number += 1) {
    const made = await post(daemon, `${path}/${id}/probes`, headers, { name: `Probe ${number}` })
    tokens.push(String(made.data.token))
  }
  return { id: String(id), tokens }
}

const cookieOf = (lines: readonly string[]) => lines.map((text) => text.split(';')[0]).join('; ')

async function post(
  { baseUrl }: Daemon,
  path: string,
  headers: Record<string, string>,
  body: object,
) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`)
  const answer = JSON.parse(text) as { data: Record<string, unknown> }
  return { data: answer.data, cookies: response.headers.getSetCookie() }
}
