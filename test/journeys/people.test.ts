// People together: invited by letter, at work, in each other's way, and out at the next request.
import t, { type Test } from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import type { Answer } from '../support/api-client.ts'
import { mintKey, type Owner, password, register } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { linkIn } from '../support/read-mail.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { fairMs } from '../support/starvation.ts'
import { startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

/** A daemon that mails, and alice with an organization. */
async function openOffice(t: Test) {
  const inbox = await startSmtpInbox(t)
  const mail = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'Stillup <up@up.test>' }
  const daemon = await startDaemon(t, { env: { ...mail, HTTP_BASE_URL: 'http://127.0.0.1:9' } })
  const alice = await register(daemon, 'alice')

  /** The first letter to somebody that has such a subject. */
  function letterTo(email: string, subject: RegExp) {
    const isWanted = (one: (typeof inbox.mails)[number]) =>
      one.recipients.includes(email) && subject.test(one.subject)
    return until(() => inbox.mails.find(isWanted))
  }

  async function letterLink(email: string, subject: RegExp): Promise<string> {
    return linkIn(await letterTo(email, subject))
  }

  /** Registers somebody who then confirms the address with the letter. */
  async function confirmed(name: string): Promise<Owner> {
    const person = await register(daemon, name)
    const link = new URL(await letterLink(person.email, /Confirm your e-mail/))
    const token = link.searchParams.get('token')
    await daemon.need('POST', '/auth/email/verify', { json: { token } })
    return person
  }

  return { daemon, alice, letterTo, letterLink, confirmed }
}

/** A member by invitation: the letter's token, then an account of their own. */
async function invited(daemon: Daemon, { org, cookie }: Owner, name: string, role: string) {
  const email = `${name}@example.com`
  const invite = { cookie, json: { email, role } }
  const { token } = await daemon.need('POST', `${org}/invites`, invite)
  const json = { email, password, inviteToken: token }
  const { user, token: session } = await daemon.need('POST', '/auth/register', { json })
  return { email, userId: user.id as string, cookie: session as string }
}

const statusOf = ({ status }: Answer) => status
const count = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length

t.test('a letter is in the language of its reader', async (t) => {
  const { daemon, alice, letterTo } = await openOffice(t)
  const asked = { email: alice.email, redirectUri: '/app' }
  const german = { json: asked, headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } }
  await daemon.need('POST', '/identity/oauth/login/magic-link/request', german)
  const signIn = await letterTo(alice.email, /^Ihr Link zur Anmeldung bei 127/)
  t.match(signIn.text, /^Jemand, hoffentlich Sie, hat mit dieser E-Mail-Adresse einen Link/)
  t.match(
    signIn.text,
    /Er wurde am \d+\. \S+ \d{4} um \d\d:\d\d UTC von 127\.0\.0\.1 aus angefordert/,
  )
  t.match(signIn.html, '<html lang="de" dir="ltr">')

  const { org, cookie } = alice
  await daemon.need('PATCH', org, { cookie, json: { language: 'fr' } })
  const invite = { cookie, json: { email: 'max@example.com', role: 'member' } }
  await daemon.need('POST', `${org}/invites`, { ...invite, ...{ headers: german.headers } })
  const invitation = await letterTo('max@example.com', /^Invitation à rejoindre alice's$/)
  t.match(invitation.text, /vous invite à rejoindre .* avec le rôle Membre\./)
})

t.test('an invited person joins, works, is removed, and loses access at once', async (t) => {
  const { daemon, alice, letterLink } = await openOffice(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const { org, cookie } = alice
  const email = 'max@example.com'
  await daemon.need('POST', `${org}/invites`, { cookie, json: { email, role: 'member' } })
  const link = new URL(await letterLink(email, /^Invitation to alice's$/))
  t.equal(link.origin, 'http://127.0.0.1:9')
  const page = await daemon.ask('GET', link.pathname)
  t.match(page.text, /You are invited to alice&#39;s as a member/)

  const path = link.pathname.replace(/page$/, 'join')
  const joined = await daemon.ask('POST', path, { json: { password, name: 'Max' } })
  t.match(joined.json.data.organization, { id: alice.orgId, role: 'member' })
  const max = { cookie: joined.json.data.token }
  const json = { name: 'Shop', url: target.url }
  const monitor = await daemon.need('POST', `${org}/monitors`, { ...max, json })
  t.equal((await daemon.ask('GET', link.pathname)).status, 410)

  const userId = joined.json.data.user.id
  const members = await daemon.need('GET', `${org}/members`, { cookie })
  t.match(members, [
    { name: 'Max', role: 'member' },
    { email: alice.email, role: 'owner' },
  ])
  const lower = { cookie, json: { userId, role: 'viewer' } }
  t.equal((await daemon.need('PATCH', `${org}/members`, lower)).role, 'viewer')
  const pause = `/api/v1${org}/monitors/${monitor.id}/pause`
  t.equal((await daemon.ask('POST', pause, max)).status, 403, 'the role counts at once')
  const look = `/api/v1${org}/monitors/${monitor.id}`
  t.equal((await daemon.ask('GET', look, max)).status, 200)
  await daemon.need('DELETE', `${org}/members/${userId}`, { cookie })
  const after = await daemon.ask('GET', look, max)
  t.equal(after.status, 404)
  t.equal(after.json.message, 'There is no such organization.')
  t.equal((await daemon.ask('GET', '/api/v1/auth/session', max)).status, 200, 'but still somebody')

  t.notMatch(daemon.lines.join(''), link.pathname.split('/')[4] ?? 'no token')
  const entries = await auditOf(daemon, alice)
  const wanted = ['invite.created', 'invite.accepted', 'member.role_changed', 'member.removed']
  t.same(
    entries.filter((action) => /^(invite|member)\./.test(action)),
    wanted.toReversed(),
  )
})

async function auditOf(daemon: Daemon, { org, cookie }: Owner): Promise<string[]> {
  const entries = await daemon.need('GET', `${org}/audit-log`, { cookie })
  return entries.map(({ action }: { action: string }) => action)
}

t.test('while registration is closed, an invitation allows it for its address', async (t) => {
  for (const mode of ['first-user', 'invite']) {
    const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: mode } })
    const alice = await register(daemon, 'alice', daemon.setupToken)
    const stranger = { email: 'max@example.com', password }
    const alone = await daemon.ask('POST', '/api/v1/auth/register', { json: stranger })
    t.match(alone, { status: 403, json: { code: 'registration_closed' } }, mode)
    t.ok(await invited(daemon, alice, 'max', 'viewer'), mode)
  }
})

t.test('somebody with an account accepts with the confirmed address, once', async (t) => {
  const { daemon, alice, confirmed, letterLink } = await openOffice(t)
  const bob = await confirmed('bob')
  const carl = await register(daemon, 'carl')
  const { org, cookie } = alice
  const invite = { cookie, json: { email: bob.email, role: 'admin' } }
  const { token } = await daemon.need('POST', `${org}/invites`, invite)
  t.match(await letterLink(bob.email, /^Invitation/), token)
  const accept = (who: Owner) =>
    daemon.ask('POST', `/api/v1/invites/${token}/accept`, { cookie: who.cookie })
  t.equal((await accept(carl)).status, 403)
  const answers = await Promise.all(Array.from({ length: 8 }, () => accept(bob)))
  t.equal(count(answers, 200), 1, String(answers.map(statusOf)))
  t.equal(count(answers, 410), 7)
  const own = await daemon.need('GET', '/orgs', { cookie: bob.cookie })
  t.match(
    own.map(({ name, role }: { name: string; role: string }) => `${name} ${role}`).toSorted(),
    ["alice's admin", "bob's owner"],
  )
})

t.test('an unconfirmed address accepts nothing, and the same letter works after it', async (t) => {
  const { daemon, alice, letterLink } = await openOffice(t)
  const dan = await register(daemon, 'dan')
  const invite = { cookie: alice.cookie, json: { email: dan.email } }
  const { token } = await daemon.need('POST', `${alice.org}/invites`, invite)
  const accept = () => daemon.ask('POST', `/api/v1/invites/${token}/accept`, { cookie: dan.cookie })
  t.match((await accept()).json, { code: 'forbidden', message: /Confirm your address dan@/ })
  const link = new URL(await letterLink(dan.email, /Confirm your e-mail/))
  const json = { token: link.searchParams.get('token') }
  await daemon.need('POST', '/auth/email/verify', { json })
  t.equal((await accept()).status, 200)
})

t.test('an invitation that is sent twice with one Idempotency-Key is one', async (t) => {
  const { daemon, alice } = await openOffice(t)
  const { org, cookie } = alice
  const ask = () =>
    daemon.ask('POST', `/api/v1${org}/invites`, {
      cookie,
      json: { email: 'eve@example.com' },
      headers: { 'idempotency-key': '"invite-eve"' },
    })
  const answers = await Promise.all([ask(), ask(), ask()])
  t.equal(count(answers, 200) + count(answers, 409), 3, 'done, or still running')
  const later = await ask()
  t.equal(later.headers.get('idempotency-replayed'), 'true')
  for (const { status, json } of answers) {
    if (status === 200) t.equal(json.data.token, later.json.data.token)
  }
  t.equal((await daemon.need('GET', `${org}/invites`, { cookie })).length, 1)
})

t.test('two owners who demote each other, or themselves, leave one', async (t) => {
  const { daemon, alice } = await openOffice(t)
  const { org } = alice
  const bob = await invited(daemon, alice, 'bob', 'owner')
  const demote = ({ cookie }: { cookie: string }, { userId }: { userId: string }) =>
    daemon.ask('PATCH', `/api/v1${org}/members`, { cookie, json: { userId, role: 'admin' } })
  const answers = await Promise.all([demote(alice, alice), demote(bob, bob)])
  t.same(answers.map(statusOf).toSorted(), [200, 409])
  t.match(answers.find(({ status }) => status === 409)?.json, { code: 'last_owner' })
  const { cookie } = answers[0]?.status === 200 ? bob : alice
  const members = await daemon.need('GET', `${org}/members`, { cookie })
  t.equal(members.filter(({ role }: { role: string }) => role === 'owner').length, 1)
})

t.test('an admin key can do much, but grant nothing to anybody', async (t) => {
  const { daemon, alice } = await openOffice(t)
  const { org } = alice
  const max = await invited(daemon, alice, 'max', 'member')
  const key = await mintKey(daemon, alice, 'admin')
  const listed = await daemon.need('GET', `${org}/api-keys`, { cookie: alice.cookie })
  const keyId = listed[0].id
  const tried: [method: string, path: string, json?: object][] = [
    ['POST', '/api-keys', { name: 'child' }],
    ['PATCH', `/api-keys/${keyId}`, { expiresAt: null }],
    ['POST', `/api-keys/${keyId}/rotate`, {}],
    ['DELETE', `/api-keys/${keyId}`],
    ['POST', '/invites', { email: 'x@example.com', role: 'admin' }],
    ['GET', '/invites'],
    ['GET', '/members'],
    ['PATCH', '/members', { userId: max.userId, role: 'admin' }],
    ['DELETE', `/members/${max.userId}`],
    ['POST', '/transfer', { userId: max.userId }],
    ['DELETE', ''],
  ]
  for (const [method, path, json] of tried) {
    for (const credential of [{ key }, { bearer: key }, { key, cookie: alice.cookie }]) {
      const options = json ? { ...credential, json } : credential
      const answer = await daemon.ask(method, `/api/v1${org}${path}`, options)
      t.match(answer, { status: 403, json: { code: 'forbidden' } }, `${method} ${path}`)
    }
  }
  t.equal((await daemon.need('GET', `${org}/members`, { cookie: alice.cookie })).length, 2)
})

t.test('a stranger learns nothing from any id, in a path or in a body', async (t) => {
  const { daemon, alice } = await openOffice(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const charlie = await register(daemon, 'charlie')
  const theirs = await everythingOf(daemon, alice, target.url)
  const bare = ({ status, text }: Answer, ids: object) => {
    const plain = text.replace(/"(instance|requestId)":"[^"]*"/g, '')
    return `${status} ${Object.values(ids).reduce((left, id) => left.replaceAll(id, ''), plain)}`
  }
  const nothing = Object.fromEntries(
    Object.entries(theirs).map(([name, id]) => [
      name,
      `${id.slice(0, 4)}01jd0000000000000000000000`,
    ]),
  )
  const keyed = { key: await mintKey(daemon, charlie, 'admin') }
  const sessioned = { cookie: charlie.cookie }
  let tried = 0
  for (const { name, method, path } of apiRoutes) {
    if (!path.includes(':orgId')) continue
    const fill = (ids: Readonly<Record<string, string>>) =>
      path.replace(/:(\w+)/g, (_all, param: string) => ids[param] ?? 'unknown')
    for (const credential of [sessioned, keyed]) {
      // In the other organization, and in the own one with the other's things.
      const places = path.split(':').length > 2 ? [theirs.orgId, charlie.orgId] : [theirs.orgId]
      for (const orgId of places) {
        const real = await daemon.ask(method, fill({ ...theirs, orgId }), credential)
        const isOwn = orgId === charlie.orgId
        const nowhere = { ...nothing, orgId: isOwn ? orgId : (nothing.orgId ?? '') }
        const made = await daemon.ask(method, fill(nowhere), credential)
        const title = `${name} ${Object.keys(credential)} ${isOwn ? 'at home' : 'abroad'}`
        t.equal(bare(real, theirs), bare(made, nothing), title)
        // A body that is missing may be told of before the thing is looked for.
        const wanted = isOwn ? [404, 403, 422] : [404, 403]
        t.ok(wanted.includes(real.status), `${title}: ${real.status} ${real.text}`)
        tried += 1
      }
    }
  }
  t.ok(tried > 60, `${tried} tries`)

  const bodies: [method: string, path: string, body: (ids: typeof theirs) => object][] = [
    [
      'POST',
      '/monitors',
      ({ channelId }) => ({ name: 'm', url: target.url, notifyChannelIds: [channelId] }),
    ],
    [
      'POST',
      '/status-pages',
      ({ monitorId }) => ({ name: 'p', slug: 'p', publicMonitorIds: [monitorId] }),
    ],
    ['PATCH', '/members', ({ userId }) => ({ userId, role: 'viewer' })],
    ['POST', '/transfer', ({ userId }) => ({ userId })],
  ]
  for (const [method, path, body] of bodies) {
    const ask = (ids: Readonly<Record<string, string>>) =>
      daemon.ask(method, `/api/v1${charlie.org}${path}`, {
        ...sessioned,
        json: body({ ...theirs, ...ids }),
      })
    const real = await ask(theirs)
    t.ok([404, 422].includes(real.status), `${method} ${path}: ${real.status}`)
    t.equal(bare(real, theirs), bare(await ask(nothing), nothing), `${method} ${path}`)
  }
})

t.test('refusing a foreign object takes no longer than an unknown one', async (t) => {
  const { daemon, alice } = await openOffice(t)
  const { cookie, org } = await register(daemon, 'charlie')
  const asks = [alice.userId, 'usr_01jd0000000000000000000000'].map((userId) => ({
    took: [] as number[],
    userId,
  }))
  for (let round = 0; round < 200; round += 1) {
    for (const { took, userId } of asks) {
      const startedMs = fairMs()
      await daemon.ask('DELETE', `/api/v1${org}/members/${userId}`, { cookie })
      took.push(fairMs() - startedMs)
    }
  }
  // What others do on the machine makes a request slower, and none faster: the quick ones tell.
  const [foreign = 0, unknown = 0] = asks.map(({ took }) => took.toSorted((a, b) => a - b)[20])
  t.ok(Math.abs(foreign - unknown) < 5, `${foreign} ms and ${unknown} ms`)
})

/** One of each thing of an organization, by the names that paths use. */
async function everythingOf(daemon: Daemon, owner: Owner, url: string) {
  const { org, cookie } = owner
  const make = async (path: string, json: object): Promise<string> =>
    (await daemon.need('POST', `${org}${path}`, { cookie, json })).id
  const hook = { name: 'Hook', type: 'webhook', config: { url } }
  const channelId = await make('/alert-channels', hook)
  const job = { name: 'Job', checkType: 'push', notifyChannelIds: [channelId] }
  const pushed = await daemon.need('POST', `${org}/monitors`, { cookie, json: job })
  await daemon.need('GET', `/push/${pushed.pushToken}/error`)
  const deliveries = `${org}/alert-channels/${channelId}/deliveries`
  const deliveryId: string = await until(
    async () => (await daemon.need('GET', deliveries, { cookie }))[0]?.id,
  )
  const { openIncidentId } = await daemon.need('GET', `${org}/monitors/${pushed.id}`, { cookie })
  return {
    orgId: owner.orgId,
    channelId,
    deliveryId,
    incidentId: String(openIncidentId),
    monitorId: await make('/monitors', { name: 'Shop', url }),
    statusPageId: await make('/status-pages', { name: 'P', slug: 'theirs' }),
    keyId: await make('/api-keys', { name: 'ci' }),
    inviteId: await make('/invites', { email: 'guest@example.com' }),
    userId: (await invited(daemon, owner, 'max', 'member')).userId,
  }
}
