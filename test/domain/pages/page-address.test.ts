// Where a status page answers: slugs made of names, and labels that nobody may pose under.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  slugFrom,
  slugPattern,
  slugWithId,
  subdomainProblem,
} from '../../../src/domain/pages/page-address.ts'

t.test('a name becomes a slug that reads like it', async (t) => {
  const names = {
    Acme: 'acme',
    'Ünïted Café & Söhne': 'united-cafe-sohne',
    '  -- API (EU) -- ': 'api-eu',
    状态: 'status',
    '': 'status',
  }
  for (const [name, slug] of Object.entries(names)) t.equal(slugFrom(name), slug, name)
})

t.test('any name becomes a slug that is valid', async (t) => {
  const slugs = ['a'.repeat(500), `${'a'.repeat(limits.slugCharsMax - 1)} b`, '\u0301', '../x'].map(
    slugFrom,
  )
  for (const slug of slugs) {
    t.match(slug, new RegExp(slugPattern))
    t.match(slugWithId(slug, 'pag_01k0000000000000000000000a'), new RegExp(slugPattern))
  }
})

t.test('a second page of the same name gets an address of its own', async (t) => {
  t.equal(slugWithId('acme', 'pag_01k000000000000000000abcde'), 'acme-0abcde')
})

t.test('a subdomain is one label, and none that people associate with the operator', async (t) => {
  const own = { baseHost: 'up.b.example.com', statusDomain: 'example.com' }
  const problem = (label: string) => subdomainProblem(label, own)
  for (const label of ['acme', 'a', '1-2', 'a'.repeat(63)]) t.equal(problem(label), null)
  for (const label of ['', '-a', 'a-', 'a.b', 'A', 'a'.repeat(64), 'a_b']) {
    t.match(problem(label), { keyword: 'pattern' }, label)
  }
  for (const label of ['www', 'login', 'status', 'xn--pypal-4ve']) {
    t.match(problem(label), { keyword: 'reserved' }, label)
  }
  for (const label of ['up', 'b']) t.match(problem(label), { keyword: 'reserved' }, 'the service')
  const elsewhere = { baseHost: '10.0.0.1', statusDomain: null }
  for (const label of ['up', 'b', '10']) t.equal(subdomainProblem(label, elsewhere), null)
})
