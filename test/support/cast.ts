// Who acts in the journeys: an owner with an organization and keys, and what they make.
import type { ApiClient, Credential } from './api-client.ts'

export const password = 'nine lives of a cat'

/** Somebody with an organization of their own. */
export interface Owner {
  readonly email: string
  readonly cookie: string
  readonly orgId: string
  readonly userId: string
  /** `/orgs/{orgId}`, for paths below /api/v1. */
  readonly org: string
}

export interface OwnerWithKey extends Owner {
  /** An admin's API key. */
  readonly key: string
}

export async function register(api: ApiClient, name: string, setupToken?: string): Promise<Owner> {
  const email = `${name}@example.com`
  const json = { email, password, organizationName: `${name}'s`, setupToken }
  const { user, organization, token } = await api.need('POST', '/auth/register', { json })
  const { id: orgId } = organization
  return { email, cookie: token, orgId, userId: user.id, org: `/orgs/${orgId}` }
}

export async function mintKey(
  api: ApiClient,
  { org, cookie }: Owner,
  role: 'admin' | 'member' | 'viewer' = 'admin',
): Promise<string> {
  const json = { name: `${role} key`, role }
  const { key } = await api.need('POST', `${org}/api-keys`, { cookie, json })
  return key
}

/** Registers, and makes an admin key. */
export async function registerWithKey(
  api: ApiClient,
  name = 'alice',
  setupToken?: string,
): Promise<OwnerWithKey> {
  const owner = await register(api, name, setupToken)
  return { ...owner, key: await mintKey(api, owner) }
}

/** What asks below the path of an organization, as its owner or with a key; it throws like `need`. */
export function needOf(api: ApiClient, { org, cookie, key }: Partial<OwnerWithKey>) {
  const credential: Credential = key === undefined ? { cookie: String(cookie) } : { key }
  return (method: string, path: string, json?: object) =>
    api.need(method, `${org}${path}`, { ...credential, ...(json && { json }) })
}

/** A job that reports, so that tests decide what is known of it; it is well. */
export async function addJob(
  api: ApiClient,
  owner: Partial<OwnerWithKey>,
  name: string,
  more: object = {},
) {
  const { id, pushToken } = await needOf(api, owner)('POST', '/monitors', {
    ...{ name, checkType: 'push', isPublic: true, intervalMinutes: 5, ...more },
  })
  async function report(status: 'ok' | 'error'): Promise<void> {
    const json = { status, message: 'told by its job' }
    const answer = await api.ask('POST', `/api/v1/push/${pushToken}`, { json })
    if (answer.status !== 200) throw new Error(`the report got ${answer.status}`)
  }
  await report('ok')
  return { id: String(id), report }
}

/** The three credentials that an organization's routes take. */
export function credentialsOf({ cookie, key }: OwnerWithKey): [string, Credential][] {
  return [
    ['the cookie', { cookie }],
    ['x-api-key', { key }],
    ['Bearer', { bearer: key }],
  ]
}
