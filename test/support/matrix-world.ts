// Two organizations with everything in them, and every kind of credential that could come along.
import type { Test } from 'tap'
import { asId, newId } from '../../src/base/ids.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import { hashToken } from '../../src/seal/tokens.ts'
import type { Credential } from './api-client.ts'
import { mintKey, type Owner, password, register } from './cast.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { person } from './kyc-person.ts'
import { startReceiver } from './receiver.ts'
import { onePixel, routeTable } from './route-table.ts'
import { tamper } from './tamper.ts'
import { startTarget } from './target.ts'
import { until } from './until.ts'

export type RoleName = 'owner' | 'admin' | 'member' | 'viewer'

/** What a request brings, and what that is worth in the own organization. */
export interface Bearer {
  readonly name: string
  readonly kind: 'session' | 'old session' | 'key' | 'system' | 'none' | 'invalid'
  readonly role?: RoleName
  readonly credential: Credential
}

/** One of everything in an organization: values of path parameters, by their names. */
export type Things = Readonly<Record<string, string>>

export interface MatrixWorld {
  readonly daemon: Daemon
  readonly bearers: readonly Bearer[]
  /** Alice's, in which the bearers have their roles. */
  readonly own: Owner
  /** Charlie's, in which none of them is anybody. */
  readonly foreign: Owner
  readonly targetUrl: string
  /** A member of the own organization who has no other part. */
  readonly memberId: string
  /** Makes one more of each thing that a path can name, in an organization. */
  make(owner: Owner, names: readonly string[]): Promise<Things>
  /** Ends a person's undecided verification, so that there can be another. */
  withdraw(session: string): Promise<unknown>
  /** A fresh session of somebody. */
  login(email: string): Promise<string>
  readonly emails: Readonly<Record<RoleName, string>>
}

export const systemToken = 'the-token-of-the-operator'

export async function openMatrixWorld(t: Test): Promise<MatrixWorld> {
  const first = await startDaemon(t)
  const [own, ann, max, vic, foreign, eve] = await Promise.all(
    ['alice', 'ann', 'max', 'vic', 'charlie', 'eve', 'dora'].map((name) => register(first, name)),
  )
  if (!own || !ann || !max || !vic || !foreign || !eve) throw new Error('seven were registered')
  const login = async (api: Daemon, email: string): Promise<string> =>
    (await api.need('POST', '/auth/login', { json: { email, password } })).token
  const keys = {
    admin: await mintKey(first, own, 'admin'),
    member: await mintKey(first, own, 'member'),
    viewer: await mintKey(first, own, 'viewer'),
    expired: await mintKey(first, own, 'admin'),
  }
  const revoked = await first.need('POST', `${own.org}/api-keys`, {
    cookie: own.cookie,
    json: { name: 'revoked', role: 'admin' },
  })
  await first.need('DELETE', `${own.org}/api-keys/${revoked.id}`, { cookie: own.cookie })
  const oldSession = await login(first, own.email)
  const ended = await login(first, own.email)
  await first.need('POST', '/auth/logout', { cookie: ended })
  await first.stop()
  await rewrite(first.dir, own, { ann, max, vic, eve }, keys.expired)

  const daemon = await startDaemon(t, { dir: first.dir, env: { SYSTEM_TOKEN: systemToken } })
  for (const secret of first.secrets) daemon.secrets.add(secret)
  const target = await startTarget()
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  const sessions = { owner: own.cookie, admin: ann.cookie, member: max.cookie, viewer: vic.cookie }
  return {
    daemon,
    own,
    foreign,
    targetUrl: target.url,
    memberId: eve.userId,
    login: (email) => login(daemon, email),
    emails: { owner: own.email, admin: ann.email, member: max.email, viewer: vic.email },
    withdraw: (session) => withdraw(daemon, session),
    make: createMaker(daemon, { targetUrl: target.url, hookUrl: receiver.url }),
    bearers: [
      ...bearersOf(sessions, keys),
      {
        name: 'an old session',
        kind: 'old session',
        role: 'owner',
        credential: { cookie: oldSession },
      },
      { name: 'the system token', kind: 'system', credential: { bearer: systemToken } },
      { name: 'nothing', kind: 'none', credential: {} },
      ...invalidBearers({ expired: keys.expired, revoked: revoked.key, ended }),
    ],
  }
}

function bearersOf(
  sessions: Readonly<Record<RoleName, string>>,
  { admin, member, viewer }: Readonly<Record<'admin' | 'member' | 'viewer', string>>,
): Bearer[] {
  const byCookie = Object.entries(sessions).map(([role, cookie]) => ({
    name: `${role} by cookie`,
    kind: 'session' as const,
    credential: { cookie },
    role: role as RoleName,
  }))
  const byKey = Object.entries({ admin, member, viewer }).flatMap(([role, key]) =>
    [{ key }, { bearer: key }].map((credential) => ({
      name: `${role} by ${Object.keys(credential)}`,
      kind: 'key' as const,
      role: role as RoleName,
      credential,
    })),
  )
  return [...byCookie, ...byKey]
}

function invalidBearers(was: Readonly<Record<'expired' | 'revoked' | 'ended', string>>): Bearer[] {
  const { expired, revoked, ended } = was
  const credentials: Record<string, Credential> = {
    'an expired key': { key: expired },
    'an expired key as bearer': { bearer: expired },
    'a revoked key': { key: revoked },
    'a revoked key as bearer': { bearer: revoked },
    'an ended session': { cookie: ended },
    'a garbage key': { key: 'sup_garbage' },
    'a garbage bearer': { bearer: 'x'.repeat(200) },
    'a garbage cookie': { cookie: 'garbage.of.nobody' },
    'a key in the cookie': { cookie: revoked },
  }
  return Object.entries(credentials).map(([name, credential]) => ({
    name,
    kind: 'invalid',
    credential,
  }))
}

/** What no route can do yet, or only with time: roles of others, a past sign-in, an expiry. */
async function rewrite(
  dir: string,
  own: Owner,
  others: Readonly<Record<'ann' | 'max' | 'vic' | 'eve', Owner>>,
  expiredKey: string,
): Promise<void> {
  const orgId = asId('org', own.orgId)
  if (!orgId) throw new Error('no organization id')
  await tamper(dir, (store, tx, nowMs) => {
    const roles = [
      ['admin', others.ann],
      ['member', others.max],
      ['viewer', others.vic],
      ['admin', others.eve],
    ] as const
    for (const [role, { userId: text }] of roles) {
      const userId = asId('user', text)
      if (userId) store.memberships.put(tx, { orgId, userId, role, joinedAtMs: nowMs })
    }
    const key = store.apiKeys.findByHash(hashToken(expiredKey))
    if (key) store.apiKeys.put(tx, { ...key, expiresAtMs: nowMs - 1 })
    const userId = asId('user', own.userId)
    // Registered first, then signed in: the second session is the one to grow old.
    const old = userId && store.sessions.listOfUser(userId, 10)[1]
    if (old) {
      store.sessions.put(tx, { ...old, authenticatedAtMs: old.authenticatedAtMs - 3_600_000 })
    }
  })
}

function withdraw(daemon: Pick<Daemon, 'need'>, session: string): Promise<unknown> {
  return daemon.need('DELETE', '/identity/kyc', { headers: { 'auth-token': session } })
}

/** The names of the things in a path of the API. A token is nobody's thing: it leads nowhere. */
export function thingsIn(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.filter((name) => !['orgId', 'token', 'word', 'provider'].includes(name))
}

/** The path with these values for its parameters. What has none leads nowhere. */
export function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? `no-${name}`)
}

/** Makes one more of each thing that a path can name. */
export function createMaker(
  daemon: Pick<Daemon, 'ask' | 'need' | 'url'>,
  urls: { readonly targetUrl: string; readonly hookUrl: string; readonly isActive?: boolean },
) {
  let made = 0
  const makers: Record<string, (owner: Owner, others: Things) => Promise<string>> = {
    // Whoever is let in acts as Dora, whose sessions no other route needs.
    async sessionId() {
      const json = { email: 'dora@example.com', password }
      const { token: cookie } = await daemon.need('POST', '/auth/login', { json })
      const sessions = await daemon.need('GET', '/auth/sessions', { cookie })
      return sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id
    },
    // Nobody here has a second factor, so no device needs no code.
    deviceId: async () => newId('device', Date.now()),
    // A file of bytes, which no world sends.
    uploadId: async () => newId('upload', Date.now()),
    // And browsers allow no passkeys at its address.
    passkeyId: async () => newId('passkey', Date.now()),
    async importId({ org, cookie }) {
      const source = { product: 'kuma', installation: 'a' }
      const json = { format: 'stillup/1', source }
      return (await daemon.need('POST', `${org}/import?isShadow=true`, { cookie, json })).importId
    },
    // A task, the only thing that a path names by its name.
    name: async () => 'outbox',
    async backupName() {
      const bearer = systemToken
      const made = await daemon.need('GET', '/system/backups', { bearer })
      // The only one cannot be deleted.
      for (let count = made.length; count < 2; count += 1) {
        made.push(await daemon.need('POST', '/system/backups', { bearer }))
      }
      return made[0].name
    },
    async monitorId({ org, cookie }) {
      const json = { name: 'One', url: urls.targetUrl, isActive: urls.isActive ?? true }
      return (await daemon.need('POST', `${org}/monitors`, { cookie, json })).id
    },
    async channelId({ org, cookie }) {
      const config = { url: urls.hookUrl }
      const json = { name: 'One', type: 'webhook', config, isDefault: false }
      return (await daemon.need('POST', `${org}/alert-channels`, { cookie, json })).id
    },
    async statusPageId({ org, cookie }) {
      made += 1
      const json = { name: 'One', slug: `page-${made}` }
      return (await daemon.need('POST', `${org}/status-pages`, { cookie, json })).id
    },
    async pictureKind({ org, cookie }, { statusPageId }) {
      const path = `${org}/status-pages/${statusPageId}/pictures/logo`
      await daemon.need('PUT', path, { cookie, json: { data: onePixel } })
      return 'logo'
    },
    async customDomainId({ org, cookie }) {
      made += 1
      const path = `${org}/status-pages`
      const page = { name: 'One', slug: `page-${made}` }
      const [first] = await daemon.need('GET', path, { cookie })
      const { id } = first ?? (await daemon.need('POST', path, { cookie, json: page }))
      const json = { hostname: `name-${made}.example.com`, statusPageId: id }
      return (await daemon.need('POST', `${org}/custom-domains`, { cookie, json })).id
    },
    // The page is new each time, so it has no other.
    async subscriberId({ org, cookie }, { statusPageId }) {
      const { slug } = await daemon.need('GET', `${org}/status-pages/${statusPageId}`, { cookie })
      const body = new URLSearchParams({ kind: 'webhook', address: urls.hookUrl })
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: daemon.url }
      await daemon.ask('POST', `/status/${slug}/subscribe`, { body: String(body), headers })
      const path = `${org}/status-pages/${statusPageId}/subscribers`
      return (await daemon.need('GET', path, { cookie }))[0].id
    },
    async probeId({ org, cookie }, { locationId }) {
      const path = `${org}/locations/${locationId}/probes`
      return (await daemon.need('POST', path, { cookie, json: { name: 'One' } })).id
    },
    async maintenanceId({ org, cookie }) {
      const startsAt = new Date(Date.now() - 60_000).toISOString()
      const endsAt = new Date(Date.now() + 3_600_000).toISOString()
      const json = { name: 'One', tags: ['nothing has it'], startsAt, endsAt }
      return (await daemon.need('POST', `${org}/maintenance-windows`, { cookie, json })).id
    },
    async verificationId({ cookie }) {
      await withdraw(daemon, cookie)
      const headers = { 'auth-token': cookie }
      const made = await daemon.need('POST', '/identity/kyc/verify', { headers, json: person })
      return made.verificationId
    },
    async inviteId({ org, cookie }) {
      made += 1
      const json = { email: `invited-${made}@example.com` }
      return (await daemon.need('POST', `${org}/invites`, { cookie, json })).id
    },
    async userId({ org, cookie }) {
      made += 1
      const email = `joined-${made}@example.com`
      const invite = { cookie, json: { email, role: 'viewer' } }
      const { token } = await daemon.need('POST', `${org}/invites`, invite)
      const json = { email, password, inviteToken: token }
      return (await daemon.need('POST', '/auth/register', { json })).user.id
    },
    async incidentId({ org, cookie }) {
      const json = { name: 'Job', checkType: 'push' }
      const monitor = await daemon.need('POST', `${org}/monitors`, { cookie, json })
      await daemon.need('GET', `/push/${monitor.pushToken}/error`)
      return (await daemon.need('GET', `${org}/monitors/${monitor.id}`, { cookie })).openIncidentId
    },
    async hash({ org, cookie }) {
      made += 1
      const json = { format: 'stillup/1', keptPingKeys: [`ping-key-${made}`] }
      await daemon.need('POST', `${org}/import`, { cookie, json })
      return (await daemon.need('GET', `${org}/ping-keys`, { cookie })).pingKeys[0].hash
    },
    // The number of a run that the monitor does not have.
    number: () => Promise.resolve('1'),
    async deliveryId({ org, cookie }, { channelId = '' }) {
      const json = { name: 'Job', checkType: 'push', notifyChannelIds: [channelId] }
      const monitor = await daemon.need('POST', `${org}/monitors`, { cookie, json })
      await daemon.need('GET', `/push/${monitor.pushToken}/error`)
      const path = `${org}/alert-channels/${channelId}/deliveries?state=delivered`
      return until(async () => (await daemon.need('GET', path, { cookie }))[0]?.id)
    },
  }
  /** By the create route of its resource, with the least body that it accepts. */
  async function create({ org, cookie }: Owner, name: string): Promise<string> {
    const item = apiRoutes.find(({ path }) => path.endsWith(`/:${name}`))
    const collection = item?.path.slice(0, -`/:${name}`.length)
    const route = apiRoutes.find((one) => one.path === collection && one.name.endsWith('.create'))
    if (!route) throw new Error(`nothing makes a ${name}: add it to matrix-world.ts`)
    made += 1
    const json = routeTable[route.name]?.body?.({ n: made, memberId: '' })
    const path = route.path.replace('/api/v1/orgs/:orgId', org)
    return (await daemon.need('POST', path, { cookie, json })).id
  }

  return async (owner: Owner, names: readonly string[]): Promise<Things> => {
    const things: Record<string, string> = {}
    for (const name of names) {
      const make = makers[name] ?? (() => create(owner, name))
      things[name] = await make(owner, things)
    }
    return things
  }
}
