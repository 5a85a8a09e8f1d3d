// Looking at a custom domain: its proof, and where its name leads, also behind proxies and CDNs.
import t from 'tap'
import type { DomainId, PageId } from '../../../src/base/ids.ts'
import { newDomain } from '../../../src/domain/pages/custom-domain.ts'
import { dnsFailure } from '../../../src/net/failure.ts'
import type { WebAnswer } from '../../../src/net/http-client/guarded-client.ts'
import { createDomainProofs } from '../../../src/seal/domain-proof.ts'
import { createDomainSights } from '../../../src/services/pages/domain-sights.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { orgOne } from '../../support/make-page.ts'

const host = 'status.example.com'
const proofs = createDomainProofs(Buffer.alloc(32))
const domain = newDomain({
  id: 'dom_01k0000000000000000000000a' as DomainId,
  orgId: orgOne,
  pageId: 'pag_01k0000000000000000000000a' as PageId,
  hostname: host,
  token: 'token',
  nowMs: 0,
})

interface World {
  /** By name; an error code in place of addresses. */
  readonly names?: Readonly<Record<string, readonly string[] | string>>
  readonly texts?: readonly (readonly string[] | null)[]
  readonly web?: (url: URL) => Partial<WebAnswer & { kind: 'answered' }> | undefined
  readonly isNetworkLost?: boolean
  readonly isOneServerEnough?: boolean
}

const ours: Record<string, readonly string[] | string> = { 'up.test': ['192.0.2.1', '2001:db8::1'] }
const proven = [['token'], ['token']]

async function look(world: World) {
  const { names = ours, texts = proven, web = () => undefined } = world
  const asked: string[] = []
  const sights = createDomainSights({
    resolver: resolverThat(async (name) => {
      const found = names[name] ?? 'ENOTFOUND'
      return typeof found === 'string' ? { failure: dnsFailure(found, name) } : { addresses: found }
    }),
    texts: { ask: async () => texts },
    async request({ url }) {
      asked.push(url)
      const answer = web(new URL(url))
      if (!answer) return { kind: 'failed', cause: 'connection', reason: 'No connection.' }
      return { kind: 'answered', status: 200, headers: {}, body: '', ...answer }
    },
    proofs,
    isNetworkLost: async () => world.isNetworkLost ?? false,
    isOneServerEnough: () => world.isOneServerEnough ?? false,
    targetsOf: () => ['acme.pages.test', 'up.test'],
  })
  return { ...(await sights(domain)), asked }
}

const questionOf = ({ pathname }: URL) => pathname.split('/').at(-1) ?? ''

t.test('a name with an address of the service leads here', async (t) => {
  const names = { ...ours, [host]: ['198.51.100.1', '2001:db8::1'] }
  t.match(await look({ names }), { proof: 'seen', place: 'here', asked: [] })
})

t.test('behind a CDN the answer of the service decides', async (t) => {
  const names = { ...ours, [host]: ['198.51.100.1'] }
  const body = (url: URL) => proofs.answer(host, questionOf(url))
  t.match(await look({ names, web: (url) => ({ body: body(url) }) }), { place: 'here' })
  t.match(await look({ names, web: () => ({ body: 'hello' }) }), { place: 'elsewhere' })
  t.match(await look({ names, web: (url) => ({ body: questionOf(url) }) }), { place: 'elsewhere' })
  t.match(await look({ names, web: (url) => ({ status: 404, body: body(url) }) }), {
    place: 'elsewhere',
  })
  t.match(await look({ names }), { place: 'elsewhere' })
})

t.test('a redirect to https is followed, and no other', async (t) => {
  const names = { ...ours, [host]: ['198.51.100.1'] }
  const toHttps = (url: URL) =>
    url.protocol === 'https:'
      ? { body: proofs.answer(host, questionOf(url)) }
      : { status: 308, headers: { location: url.href.replace('http:', 'https:') } }
  const { place, asked } = await look({ names, web: toHttps })
  t.equal(place, 'here')
  t.equal(asked.length, 2)
  const away = await look({
    names,
    web: () => ({ status: 302, headers: { location: 'https://elsewhere.test/' } }),
  })
  t.match(away, { place: 'elsewhere' })
  t.equal(away.asked.length, 1)
})

t.test('no address is told apart from no answer', async (t) => {
  t.match(await look({}), { place: 'nowhere' })
  t.match(await look({ names: { ...ours, [host]: 'ENODATA' } }), { place: 'nowhere' })
  t.match(await look({ names: { ...ours, [host]: 'ESERVFAIL' } }), { place: 'unanswered' })
  t.match(await look({ names: { ...ours, [host]: 'ETIMEOUT' } }), { place: 'unanswered' })
})

t.test('while our own network fails, nothing is missing', async (t) => {
  const names = { ...ours, [host]: ['198.51.100.1'] }
  t.match(await look({ names, texts: [[], []], isNetworkLost: true }), {
    proof: 'unanswered',
    place: 'unanswered',
  })
  t.match(await look({ names, isNetworkLost: true }), { proof: 'seen', place: 'unanswered' })
})

t.test('one name server is enough only if that is allowed, and no other answers', async (t) => {
  const texts = [['token'], null]
  t.match(await look({ texts }), { proof: 'spreading' })
  t.match(await look({ texts, isOneServerEnough: true }), { proof: 'seen' })
  t.match(await look({ texts: [['token'], []], isOneServerEnough: true }), { proof: 'spreading' })
})
