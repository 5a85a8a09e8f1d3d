// The declarations of nouns: what one place says holds in all the others.
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
