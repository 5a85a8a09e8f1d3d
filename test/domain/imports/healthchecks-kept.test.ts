// What a check of Healthchecks keeps of its addresses, and of its rules about pings.
import t from 'tap'
import { keptOf } from '../../../src/domain/imports/healthchecks-kept.ts'

const uuid = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const byUuid = `/ping/${uuid}`
const pingKey = 'fqOOd6-F4MMNuCEnzTU01w'

function kept(check: Record<string, unknown>, context: object = {}) {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  return { ...keptOf(check, { ...context, note }), notes }
}

t.test('the UUID is kept, wherever it stands, and the slug with the ping key', async (t) => {
  t.same(kept({ uuid }), { keptAddresses: [byUuid], notes: [] })
  t.same(kept({ ping_url: `https://hc-ping.com/${uuid}` }).keptAddresses, [byUuid])
  t.same(kept({ uuid, slug: 'backup' }), { keptAddresses: [byUuid], notes: [] })
  const both = kept({ uuid, slug: 'backup' }, { pingKey })
  t.same(both, { keptAddresses: [byUuid, `/ping/${pingKey}/backup`], notes: [] })
  const shared = kept({ uuid, slug: 'backup' }, { pingKey, isSlugShared: true })
  const sharedAddresses = [`/ping/${pingKey}/backup`]
  t.same(shared, { keptAddresses: [byUuid], sharedAddresses, notes: [] })
})

t.test('a key that only reads shows no address', async (t) => {
  const check = { unique_key: 'a6c7b0a8a66bed0df66abfdab3c77736861703ee', methods: 'POST' }
  t.same(kept(check), { notes: [] })
})

t.test('methods and words of the body come over', async (t) => {
  const check = {
    uuid,
    methods: 'POST',
    filter_http_body: true,
    filter_default_fail: true,
    failure_kw: 'ERROR, fatal ,',
    success_kw: 'done',
    start_kw: '',
  }
  t.same(kept(check).keptRules, {
    methods: 'POST',
    otherwise: 'error',
    failureWords: ['ERROR', 'fatal'],
    successWords: ['done'],
  })
  t.equal(kept({ ...check, methods: '', filter_http_body: false }).keptRules, undefined)
  t.same(kept({ uuid, filter_http_body: true }).keptRules, { otherwise: 'ignore' })
  t.same(kept({ uuid, manual_resume: true }).keptRules, { isResumedByHand: true })
  t.equal(kept({ uuid, manual_resume: false }).keptRules, undefined)
  const unscheduled = kept({ uuid, manual_resume: false }, { isUnscheduled: true })
  t.same(unscheduled.keptRules, { isResumedByHand: true }, 'its times must be set first')
})

t.test('hostile values are no addresses', async (t) => {
  const long = 'x'.repeat(100_000)
  for (const value of [`${uuid}/start`, '../../etc', long, {}, 7, null]) {
    const { keptAddresses } = kept({ uuid: value, ping_url: value, slug: value }, { pingKey })
    t.notOk(keptAddresses?.some((one) => one.startsWith('/ping/5')))
    t.notOk(keptAddresses?.some((one) => one.length > 340))
  }
})
