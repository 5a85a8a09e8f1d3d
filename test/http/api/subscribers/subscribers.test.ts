// Subscribers of a status page as its administrators see them.
import t from 'tap'
import { ann, bob, openReaderWorld, pathOf } from '../../../support/reader-world.ts'
import { until } from '../../../support/until.ts'

t.test('administrators list, add, export and delete subscribers', async (t) => {
  const { daemon, inbox, key, at, enlist, counts } = await openReaderWorld(t)
  await enlist(ann, { 'section-0': 'Sales' })
  const add = (json: object) => daemon.ask('POST', `/api/v1${at}/subscribers`, { key, json })
  const refused = await add({ emails: ['nobody', bob], sectionNames: ['Nowhere'] })
  t.match(refused.json, {
    errors: [{ pointer: '/emails/0' }, { pointer: '/sectionNames/0' }],
  })
  t.match((await add({ emails: [bob, bob.toUpperCase(), ann] })).json.data, { asked: 1 })
  t.match((await inbox.mailTo(bob)).subject, 'Confirm your subscription')
  t.same(
    await counts(),
    { active: 1, pending: 1, failed: 0, silent: 0 },
    'nobody is subscribed unasked',
  )

  const list = (query: string) => daemon.need('GET', `${at}/subscribers?${query}`, { key })
  const [newest, oldest] = await list('kind=email')
  t.match(newest, { state: 'pending', address: 'b…@reader.test', sectionNames: [] })
  t.match(oldest, { state: 'active', address: 'a…@reader.test', sectionNames: ['Sales'] })
  t.same(await list('state=failed'), [])
  const first = await daemon.ask('GET', `/api/v1${at}/subscribers?limit=1`, { key })
  t.equal(first.json.data[0].id, newest.id)
  const second = await list(`limit=1&cursor=${first.json.meta.nextCursor}`)
  t.equal(second[0].id, oldest.id)

  const file = await daemon.ask('GET', `/api/v1${at}/subscribers/export`, { key })
  t.match(file.headers.get('content-type'), 'text/csv')
  t.match(file.text, `${oldest.id},email,${ann},active,en,Sales,`)
  await daemon.need('DELETE', `${at}/subscribers/${oldest.id}`, { key })
  t.same(await counts(), { active: 0, pending: 1, failed: 0, silent: 0 })
  t.same((await list('')).length, 1)
})

t.test('nobody fills the mailbox of a stranger by many pages or many requests', async (t) => {
  const { daemon, inbox, org, key } = await openReaderWorld(t)
  const pages = await Promise.all(
    ['one', 'two'].map((name) =>
      daemon.need('POST', `${org}/status-pages`, { key, json: { name, slug: name } }),
    ),
  )
  const add = (at: number, emails: readonly string[]) =>
    daemon.ask('POST', `/api/v1${org}/status-pages/${pages[at % 2].id}/subscribers`, {
      key,
      json: { emails },
    })
  let asked = 0
  for (let at = 0; at < 24; at += 1) {
    const { json } = await add(at, [`vic.tim+${at % 3}@reader.test`])
    asked += json.data.asked
  }
  t.equal(asked, 20, 'whatever is put behind a plus sign')
  const isToVictim = (mail: { readonly recipients: readonly string[] }) =>
    mail.recipients[0]?.startsWith('vic.tim') === true
  await until(() => inbox.mails.filter(isToVictim).length >= 20)
  t.match((await add(0, [bob])).json.data, { asked: 1 })
  await inbox.mailTo(bob)
  t.equal(inbox.mails.filter(isToVictim).length, 20)

  const many = (at: number) => Array.from({ length: 100 }, (_, no) => `r${at}-${no}@reader.test`)
  const statuses = []
  for (let at = 0; at < 11; at += 1) statuses.push((await add(at, many(at))).status)
  t.same(new Set(statuses.slice(0, 9)), new Set([200]))
  // The tenth may fit where the machine was slow: some become free each minute.
  t.equal(statuses[10], 429, 'an organization that anybody may open asks a thousand an hour')
})

t.test(
  'an operator lets organizations bring subscribers; where anyone may register, at first not',
  async (t) => {
    const table = {
      csv: 'email,confirmedAt,source,page\nann@reader.test,2025-03-01T09:30:00Z,status.acme.test,acme\n',
    }
    const shut = await openReaderWorld(t)
    const path = (org: string) => `/api/v1${org}/subscribers/import`
    const refused = await shut.daemon.ask('POST', path(shut.org), { key: shut.key, json: table })
    t.match(refused, { status: 403, json: { detail: /pages\.importSubscribers/ } })
    t.same(await shut.counts(), { active: 0, pending: 0, failed: 0, silent: 0 })

    const { daemon, org, key, at, counts, declare, inbox, submit } = await openReaderWorld(t, {
      PAGES_IMPORT_SUBSCRIBERS: 'always',
    })
    const json = table
    const tried = await daemon.need('POST', `${org}/subscribers/import/trial`, { key, json })
    t.same(tried, { added: 1, known: 0, ended: 0, leftOut: 0 })
    t.same(await counts(), { active: 0, pending: 0, failed: 0, silent: 0 }, 'a trial brings nobody')
    t.match(await daemon.need('POST', `${org}/subscribers/import`, { key, json }), { added: 1 })
    const [row] = await daemon.need('GET', `${at}/subscribers`, { key })
    t.match(row, {
      state: 'active',
      confirmedAt: '2025-03-01T09:30:00.000Z',
      consent: { source: 'status.acme.test', confirmedAt: '2025-03-01T09:30:00.000Z' },
    })
    const file = await daemon.ask('GET', `/api/v1${at}/subscribers/export`, { key })
    t.match(
      file.text,
      /,ann@reader\.test,active,en,,2025-03-01T09:30:00\.000Z,[^,]+,status\.acme\.test/,
    )

    await declare({ title: 'Payments fail' })
    const letter = await inbox.mailTo(ann)
    t.match(letter.subject, 'Incident: Payments fail', 'the first letter is news, not a question')
    t.match(letter.text, 'you confirmed it on 1 March 2025 (status.acme.test)')
    const leave = /^<(.+)>$/.exec(letter.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    const shown = await daemon.ask('GET', pathOf(leave.replace(/\/unsubscribe$/, '')))
    t.match(shown.text, 'you confirmed it on 1 March 2025 (status.acme.test)')
    await submit(pathOf(leave), {})
    t.match(await daemon.need('POST', `${org}/subscribers/import`, { key, json }), { ended: 1 })
    t.same(await counts(), { active: 0, pending: 0, failed: 0, silent: 0 })
  },
)
