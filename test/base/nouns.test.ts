// The declarations of nouns: what one place says holds in all the others.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { idPrefixes } from '../../src/base/ids.ts'
import { countedNouns, nounIdPrefixes, nouns, quotaNouns } from '../../src/base/nouns.ts'
import { limits } from '../../src/domain/limits/limits.ts'

t.test('every kind of id has a prefix of its own', async (t) => {
  const prefixes = Object.values(idPrefixes)
  t.equal(new Set(prefixes).size, prefixes.length)
  t.match(nounIdPrefixes, { monitor: 'mon', channel: 'chn', page: 'pag', key: 'key' })
  t.notOk('member' in nounIdPrefixes, 'a member is known by the user')
})

t.test('a quota is never larger than what lists and counts read', async (t) => {
  const known = ['monitors', 'channels', 'pages', 'keys', 'members'] as const
  for (const name of known) t.ok(quotaNouns.includes(name) && countedNouns.includes(name), name)
  t.ok(quotaNouns.includes('invites') && !countedNouns.some((name) => String(name) === 'invites'))
  // Counted in memory, or while they are written.
  const own: Readonly<Partial<Record<string, number>>> = {
    monitors: limits.monitorsQuotaMax,
    subscribers: 1_000_000,
  }
  for (const name of quotaNouns) {
    const { usual, max } = nouns[name].quota
    t.ok((usual ?? 0) <= max, name)
    t.ok(max <= (own[name] ?? limits.quotaMax), name)
  }
})

/** Files that name most nouns, and why: each further one would be edited for every new noun. */
const lists: Readonly<Record<string, string>> = {
  'base/nouns.ts': 'declares them',
  'store/nouns.ts': 'has their tables, counts and deletions',
  'http/api/api.ts': 'has their routes',
  'services/assembly/services.ts': 'makes their services',
  'http/openapi/tags.ts': 'orders the reference; what it does not name comes last',
  'http/output/problem-guide.ts': 'has a sample of their paths in examples',
  'domain/imports/uptimerobot/uptimerobot-v3.ts': 'names the lists of another product',
}

t.test('a new noun is added in three files of lists besides its declaration', async (t) => {
  const words = [
    'monitors',
    'channels',
    'pages',
    'invites',
    'domains',
    'keys',
    'members',
    'windows',
  ]
  const spelled = new RegExp(
    words.map((word) => `\\b(?:custom|api|status|maintenance)?-?(${word})\\b`).join('|'),
    'gi',
  )
  const source = join(import.meta.dirname, '../../src')
  const files = globSync('**/*.ts', { cwd: source, exclude: ['console/**', 'texts/**'] })
  const listing = files.filter((file) => {
    const text = readFileSync(join(source, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const named = [...text.matchAll(spelled)].map(([whole]) => whole.toLowerCase())
    return words.filter((word) => named.some((one) => one.endsWith(word))).length >= 6
  })
  t.same(listing.sort(), Object.keys(lists).sort(), 'derive others from base/nouns.ts')
})
