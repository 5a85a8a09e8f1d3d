// Status pages of an import bring those who confirmed elsewhere: once, and not again after they left.
import t, { type Test } from 'tap'
import { openReaderWorld, pathOf } from '../../support/reader-world.ts'

const source = { product: 'betterstack', installation: 'uptime.betterstack.com' }
const consent = { source: 'status.acme.test', confirmedAt: '2025-03-01T09:30:00Z' }
const given = (name: string, more: object = {}) => ({
  address: `${name}@reader.test`,
  consent,
  ...more,
})
const documentOf = (subscribers: unknown, more: object = {}) => ({
  format: 'stillup/1',
  source,
  statusPages: [{ name: 'Moved', slug: 'moved', origin: 'status-page/9', subscribers, ...more }],
})

async function start(t: Test) {
  const world = await openReaderWorld(t, { PAGES_IMPORT_SUBSCRIBERS: 'always' })
  const { daemon, org, key } = world
  const ask = (json: object, query = '') =>
    daemon.ask('POST', `/api/v1${org}/import${query}`, { key, json })
  const need = async (json: object, query = '') => {
    const answer = await ask(json, query)
    if (answer.status !== 200) t.fail(answer.text)
    return answer.json.data
  }
  const moved = async () => {
    const pages = await daemon.need('GET', `${org}/status-pages`, { key })
    return pages.find(({ name }: { readonly name: string }) => name === 'Moved')
  }
  return { ...world, ask, need, moved }
}

t.test('they come with the page, once; who left stays away; an undo takes them back', async (t) => {
  const { daemon, org, key, inbox, need, moved, declare, submit } = await start(t)
  const document = documentOf([given('ann'), given('bob')])
  const nobody = { known: 0, ended: 0, leftOut: 0, problems: [] }
  const tried = await need(document, '/trial')
  t.match(tried.subscribers, { ...nobody, added: 2 })
  t.same(tried.ids, {}, 'no id but those of the document')
  t.match((await need(document)).subscribers, { ...nobody, added: 2 })
  t.match((await moved()).subscribers, { active: 2, pending: 0 })
  t.match((await need(document, '/trial')).subscribers, { ...nobody, added: 0, known: 2 })

  await declare({ title: 'Payments fail' })
  const letter = await inbox.mailTo('ann@reader.test')
  t.match(letter.text, 'you confirmed it on 1 March 2025 (status.acme.test)')
  const leave = /^<(.+)>$/.exec(letter.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
  await submit(pathOf(leave), {})
  const more = await need(documentOf([given('ann'), given('bob'), given('cara')]))
  t.match(more, {
    subscribers: { added: 1, known: 1, ended: 1 },
    plan: [{ action: 'keep' }],
  })
  t.match((await moved()).subscribers, { active: 2 })

  await daemon.need('POST', `${org}/imports/${more.importId}/undo`, { key, json: {} })
  t.match((await moved()).subscribers, { active: 1 }, 'those of the import before stay')
  const again = await need(documentOf([given('cara')]))
  t.match(again.subscribers, { added: 1 }, 'as if she had never come')
})

t.test('what is wrong with one is named, and hinders the others only where it must', async (t) => {
  const { daemon, org, key, ask, need, moved } = await start(t)
  const document = documentOf([given('ann'), { address: 'bob@reader.test' }, given('x', { x: 1 })])
  t.match(await ask(document), {
    status: 422,
    json: {
      errors: [
        {
          pointer: '/statusPages/0/subscribers/1/consent',
          message: 'must say where and when the address confirmed',
        },
        { pointer: '/statusPages/0/subscribers/2/x' },
      ],
    },
  })
  t.equal(await moved(), undefined)
  t.match((await ask(documentOf('all'))).json.errors, [{ pointer: '/statusPages/0/subscribers' }])
  const later = given('bob', { consent: { ...consent, confirmedAt: '2199-01-01T00:00:00Z' } })
  const mixed = documentOf([given('ann'), later, given('x', { address: 'nobody' })])
  const { subscribers } = await need(mixed, '?leavesOut=true')
  t.match(subscribers, {
    added: 1,
    leftOut: 2,
    problems: [{ pointer: '/statusPages/0/subscribers/1/consent/confirmedAt' }, {}],
  })
  const named = documentOf([given('ann', { sectionNames: ['Nowhere'] })])
  t.match((await ask(named)).json.errors, [
    { pointer: '/statusPages/0/subscribers/0/sectionNames/0', keyword: 'reference' },
  ])
  const exported = await daemon.need('GET', `${org}/export`, { key })
  t.notMatch(JSON.stringify(exported), /reader\.test/, 'a document of an export has none')
})

t.test('where it is forbidden, all else of another product comes', async (t) => {
  const { daemon, org, key } = await openReaderWorld(t)
  const json = documentOf([given('ann'), given('bob')])
  t.match(await daemon.ask('POST', `/api/v1${org}/import`, { key, json }), { status: 403 })
  const { subscribers, statusPages } = await daemon.need('POST', `${org}/import?leavesOut=true`, {
    key,
    json,
  })
  t.equal(statusPages, 1)
  t.match(subscribers, {
    added: 0,
    leftOut: 2,
    problems: [{ pointer: '', message: /pages\.importSubscribers/ }],
  })
})

t.test(
  'an import that is sent twice under one key is made once, with subscribers or without',
  async (t) => {
    const { daemon, org, key, moved } = await start(t)
    for (const [no, json] of [documentOf([given('ann')]), { format: 'stillup/1' }].entries()) {
      const headers = { 'idempotency-key': `import-${no}` }
      const send = () => daemon.ask('POST', `/api/v1${org}/import`, { key, json, headers })
      const first = await send()
      t.equal(first.status, 200, first.text)
      t.same((await send()).json.data, first.json.data)
    }
    t.match((await moved()).subscribers, { active: 1 })
  },
)
