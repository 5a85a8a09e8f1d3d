// Subscribers of a status page from end to end: they ask, confirm, are told, and leave.
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { linkIn } from '../support/read-mail.ts'
import { ann, bob, openReaderWorld, pathOf } from '../support/reader-world.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

t.test('a reader subscribes by the form, confirms, is told, and leaves by one click', async (t) => {
  const { daemon, inbox, org, key, subscribe, submit, declare, shop, counts } =
    await openReaderWorld(t)
  const shown = await daemon.ask('GET', '/status/acme/subscribe')
  t.match(shown.text, /name="address" autocomplete="email"[\s\S]*Sales[\s\S]*Office/)
  t.notMatch(shown.text, /<script/)
  t.equal(shown.headers.get('set-cookie'), null)

  const asked = await subscribe({ kind: 'email', address: ` ${ann.toUpperCase()}` })
  t.equal(asked.status, 200)
  const letter = await inbox.mailTo(ann)
  t.equal(letter.subject, 'Confirm your subscription to Acme')
  t.same(await counts(), { active: 0, pending: 1, failed: 0, silent: 0 })

  const path = pathOf(linkIn(letter))
  const scanned = await daemon.ask('GET', path)
  t.match(scanned.text, /<button type="submit">Confirm<\/button>/)
  t.same(
    await counts(),
    { active: 0, pending: 1, failed: 0, silent: 0 },
    'opening the link changes nothing',
  )
  t.match((await submit(path, {})).text, 'You are subscribed')
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })

  const again = await subscribe({ kind: 'email', address: ann })
  t.equal(again.text, asked.text, 'the answer does not tell who is subscribed')
  t.equal((await inbox.mailTo(ann, 2)).subject, 'Your subscription to Acme')
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })

  const incident = await declare({ monitorIds: [shop.id] })
  const opened = await inbox.mailTo(ann, 3)
  t.equal(opened.subject, 'Incident: Payments fail · Acme')
  t.match(opened.text, /We are looking\.[\s\S]*Shop/)
  t.match(opened.text, `${daemon.url}/status/acme/incidents/${incident.id}`)
  t.equal(opened.headers.precedence, 'bulk')
  t.equal(opened.headers['auto-submitted'], 'auto-generated')
  t.equal(opened.headers.references, `<${incident.id}@up.test>`)
  const unsubscribe = /^<(.+)>$/.exec(opened.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  t.equal(pathOf(unsubscribe), `${path}/unsubscribe`)

  const incidentPath = `${org}/incidents/${incident.id}`
  const update = (json: object) => daemon.need('POST', `${incidentPath}/updates`, { key, json })
  await update({ message: 'Only for us.', isPublic: false })
  await update({ message: 'It is the bank.', isPublic: true, status: 'identified' })
  const updated = await inbox.mailTo(ann, 4)
  t.equal(updated.subject, 'Update: Payments fail · Acme')
  t.match(updated.text, /Identified[^\n]*: It is the bank\./)
  t.notMatch(updated.text, /Only for us|We are looking/)
  t.equal(updated.headers.references, opened.headers.references)

  const scanner = await daemon.ask('GET', `${path}/unsubscribe`)
  t.match(scanner.text, 'End the subscription')
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })
  await daemon.need('POST', `${incidentPath}/resolve`, {
    key,
    json: { message: 'Paid again.', isPublic: true },
  })
  t.match((await inbox.mailTo(ann, 5)).text, /^Resolved: Payments[\s\S]*Paid again\./)

  const body = 'List-Unsubscribe=One-Click'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const left = await daemon.ask('POST', pathOf(unsubscribe), { body, headers })
  t.equal(left.status, 200, 'as mail programs post it: from nowhere')
  t.same(await counts(), { active: 0, pending: 0, failed: 0, silent: 0 })
  t.equal((await daemon.ask('GET', path)).status, 410)
  t.equal((await submit(path, {})).status, 410, 'an old letter subscribes nobody')
  await declare({ title: 'Another one' })
  await daemon.need('GET', `${org}/status-pages`, { key })
  const toAnn = inbox.mails.filter(({ recipients }) => recipients.includes(ann))
  t.equal(toAnn.length, 5)
})

t.test('a letter from before a page was for members subscribes nobody', async (t) => {
  const { daemon, inbox, org, key, subscribe, submit, counts } = await openReaderWorld(t)
  await subscribe({ kind: 'email', address: ann })
  const path = pathOf(linkIn(await inbox.mailTo(ann)))
  const [page] = await daemon.need('GET', `${org}/status-pages`, { key })
  const json = { visibility: 'members' }
  await daemon.need('PATCH', `${org}/status-pages/${page.id}`, { key, json })
  t.notMatch((await submit(path, {})).text, 'You are subscribed')
  t.same(await counts(), { active: 0, pending: 1, failed: 0, silent: 0 })
})

t.test('a page that turns to members shows strangers nothing more, and counts them', async (t) => {
  const { daemon, inbox, at, key, subscribe, submit, enlist, declare, counts } =
    await openReaderWorld(t)
  const path = await enlist(ann, { 'section-0': 'Sales' })
  const turn = (visibility: string) =>
    daemon.need('PATCH', at, { key, json: { visibility, title: 'Acme' } })
  await turn('members')
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 1 })
  t.match(await daemon.need('GET', `${at}/subscribers`, { key }), [{ isSilent: true }])
  const shown = (await daemon.ask('GET', path)).text
  t.match(shown, 'This page is for members of the organization now.')
  t.notMatch(shown, 'Sales')
  t.match(shown, 'Unsubscribe')
  t.notMatch((await submit(path, {})).text, 'Saved.')
  const added = await daemon.ask('POST', `/api/v1${at}/subscribers`, {
    key,
    json: { emails: [bob] },
  })
  t.match(added.json, { status: 422, errors: [{ pointer: '/emails/0', keyword: 'reference' }] })
  t.equal((await subscribe({ kind: 'email', address: bob })).status, 303, 'it leads to the sign-in')

  await turn('everyone')
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })
  t.match((await daemon.ask('GET', path)).text, 'Sales', 'its sections are as they were')
  await declare({ title: 'Heard' })
  t.match((await inbox.mailTo(ann, 2)).subject, 'Incident: Heard', 'it is told again')
})

t.test('who chose a section is told only of it, and of what concerns the whole page', async (t) => {
  const { inbox, enlist, declare, shop, mail, submit } = await openReaderWorld(t)
  const path = await enlist(ann, { 'section-0': 'Sales', 'section-1': 'No such section' })
  await enlist(bob)
  await declare({ title: 'Mail is late', monitorIds: [mail.id] })
  await inbox.mailTo(bob, 2)
  await declare({ title: 'Shop is slow', monitorIds: [shop.id] })
  t.match((await inbox.mailTo(ann, 2)).subject, 'Shop is slow')
  await declare({ title: 'Everything shakes' })
  t.match((await inbox.mailTo(ann, 3)).subject, 'Everything shakes')
  await submit(path, { 'section-1': 'Office' })
  await declare({ title: 'Mail is gone', monitorIds: [mail.id] })
  t.match((await inbox.mailTo(ann, 4)).subject, 'Mail is gone')
})

t.test('a webhook is asked first, told signed, and ends when its receiver is gone', async (t) => {
  const { daemon, key, at, subscribe, submit, declare, counts } = await openReaderWorld(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const address = `${receiver.url}/hooks/secret-path`
  await subscribe({ kind: 'webhook', address })
  const [question] = await receiver.received(1)
  t.match(bodyOf(question), { type: 'subscription.confirm' })
  const [confirmUrl = ''] = /http[^"]+\/subscriptions\/[^"]+/.exec(question?.body ?? '') ?? []
  await declare({ title: 'Too early' })
  const path = pathOf(confirmUrl)
  t.notMatch((await daemon.ask('GET', path)).text, /whsec_/)
  const confirmed = await submit(path, {})
  const [secret = ''] = /whsec_[\w+/=]+/.exec(confirmed.text) ?? []
  daemon.secrets.add(secret)

  const incident = await declare({ title: 'In time' })
  const [, told] = await receiver.received(2)
  t.match(bodyOf(told), {
    type: 'incident.opened',
    data: {
      page: { title: 'Acme', url: `${daemon.url}/status/acme` },
      incidents: [{ id: incident.id, title: 'In time', isOpen: true, services: [] }],
    },
  })
  t.ok(new Webhook(secret).verify(told?.body ?? '', { ...told?.headers }))
  const [row] = await daemon.need('GET', `${at}/subscribers`, { key })
  t.match(row, { kind: 'webhook', state: 'active', address: `${new URL(receiver.url).origin}/…` })

  receiver.always({ status: 410 })
  await declare({ title: 'To nobody' })
  await until(async () => (await counts()).failed === 1)
  await declare({ title: 'Not any more' })
  receiver.always({ status: 200 })
  await subscribe({ kind: 'webhook', address })
  const all = await receiver.received(4)
  t.match(bodyOf(all.at(-1)), { type: 'subscription.confirm' })
  await submit(path, {})
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })
})

t.test('Slack gets a message with a button to confirm, then the news in words', async (t) => {
  const { subscribe, submit, declare } = await openReaderWorld(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  await subscribe({ kind: 'slack', address: `${receiver.url}/services/T0/B0/secret-of-slack` })
  const [question] = await receiver.received(1)
  const [link = ''] = /https?:\/\/[^"]+\/subscriptions\/[^"]+/.exec(question?.body ?? '') ?? []
  await submit(pathOf(link), {})
  await declare({ title: 'Payments <fail>' })
  const [, told] = await receiver.received(2)
  t.match(bodyOf(told), { text: 'Incident: Payments &lt;fail&gt;' })
})

t.test('a page without subscribers, or without a mail server, offers what it can', async (t) => {
  const daemon = await startDaemon(t)
  const { org, key } = await registerWithKey(daemon)
  const json = { name: 'Acme', slug: 'acme' }
  const page = await daemon.need('POST', `${org}/status-pages`, { key, json })
  const shown = await daemon.ask('GET', '/status/acme/subscribe')
  t.notMatch(shown.text, /type="email"/)
  t.match(shown.text, /value="webhook"[\s\S]*value="slack"/)
  const at = `${org}/status-pages/${page.id}`
  const refused = await daemon.ask('POST', `/api/v1${at}/subscribers`, {
    key,
    json: { emails: [ann] },
  })
  t.match(refused, { status: 409, json: { code: 'conflict', message: /mail\.smtpUrl/ } })
  await daemon.need('PATCH', at, { key, json: { allowsSubscribers: false } })
  t.equal((await daemon.ask('GET', '/status/acme/subscribe')).status, 404)
})

t.test('forged links, traps, other sites and wrong addresses subscribe nobody', async (t) => {
  const { daemon, inbox, subscribe, submit, enlist, counts } = await openReaderWorld(t)
  const path = await enlist(ann)
  const forged = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')
  t.equal((await daemon.ask('GET', forged)).status, 410)
  t.equal((await daemon.ask('POST', `${forged}/unsubscribe`)).status, 200)
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })

  const trapped = await subscribe({ kind: 'email', address: bob, website: 'https://spam.test' })
  t.equal(trapped.status, 200, 'a program is not told')
  for (const address of ['bob', 'bob@host', 'a@b.test, c@d.test', '<bob@reader.test>']) {
    const { status, text } = await subscribe({ kind: 'email', address })
    t.equal(status, 422, address)
    t.match(text, 'valid e-mail address')
  }
  t.equal((await subscribe({ kind: 'webhook', address: 'ftp://x.test' })).status, 422)
  for (const fields of [{ kind: 'pigeon', address: bob }, { address: bob }]) {
    const { status, text } = await subscribe(fields)
    t.equal(status, 422)
    t.match(text, /role="alert"[\s\S]*choose one of these ways[\s\S]*name="kind" value="email"/)
  }
  const body = String(new URLSearchParams({ kind: 'email', address: bob }))
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://evil.test',
  }
  const foreign = await daemon.ask('POST', '/status/acme/subscribe', { body, headers })
  t.equal(foreign.status, 403)
  t.same(await counts(), { active: 1, pending: 0, failed: 0, silent: 0 })
  for (let round = 0; round < 5; round++) await subscribe({ kind: 'email', address: bob })
  await submit(pathOf(linkIn(await inbox.mailTo(bob, 3))), {})
  t.equal(inbox.mails.filter(({ recipients }) => recipients.includes(bob)).length, 3)
})
