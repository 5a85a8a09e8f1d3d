// stillup import kuma.db: an installation of Uptime Kuma becomes an organization's.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { makeKuma } from '../../support/kuma-database.ts'
import { shopOfKuma } from '../../support/kuma-shop.ts'
import { movingWorld } from '../../support/moving-world.ts'

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('stillup-import-'))

t.test('a kuma.db becomes monitors, channels, pages and windows, and stays as it is', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const file = join(cwd, 'kuma.db')
  const kuma = makeKuma(file, '2.5', shopOfKuma, true)
  t.teardown(() => kuma.close())
  const before = [statSync(file).mtimeMs, statSync(`${file}-wal`).mtimeMs]
  const trial = await cli('import', 'kuma.db', '--org', alice.orgId, '--dry-run')
  t.match(trial, {
    code: 0,
    err: /without this \(1\):\n {2}"Ops page": its domain status\.example\.com/,
  })
  const { code, out, err } = await cli('import', 'kuma.db', '--org', alice.orgId)
  t.match({ code, out }, { code: 0, out: /Created/ }, err)
  t.notMatch(`${out}${err}`, /hidden/, 'no secret is shown')
  t.same([statSync(file).mtimeMs, statSync(`${file}-wal`).mtimeMs], before)
  t.same(left(), [], 'no copy stays')

  const read = (path: string) => daemon.need('GET', `${alice.org}${path}`, { cookie: alice.cookie })
  const monitors = await read('/monitors?limit=100')
  const named = (name: string) => monitors.find((one: { name: string }) => one.name === name)
  t.match(named('Shop'), { checkType: 'endpoint', isPublic: true, tags: ['Production', 'eu'] })
  t.match(named('Backup'), { checkType: 'push', intervalSeconds: 3_600 })
  t.match(named('Production'), { checkType: 'group', memberIds: [named('Shop').id] })
  t.match(await read('/alert-channels'), [{ name: 'Ops' }, { name: 'Hook' }])
  t.match(await read('/status-pages'), [{ name: 'Ops page', slug: 'ops' }])
  t.match(await read('/maintenance-windows'), [{ name: 'Backup night', cron: '30 2 * * 0' }])
})

t.test('what is no kuma.db, or is cut off, is refused in one line', async (t) => {
  const { alice, cwd, cli } = await movingWorld(t)
  const path = (name: string) => join(cwd, name)
  makeKuma(path('whole.db'), '1.23', shopOfKuma).close
  writeFileSync(path('encrypted.db'), `SQLite format 3\0${'\x99'.repeat(8_192)}`, 'latin1')
  writeFileSync(path('cut.tar'), `${'kuma.db'.padEnd(257, '\0')}ustar${'\0'.repeat(100)}`)
  const refused = [
    ['encrypted.db', /encrypted\.db is (damaged|not a database)/],
    ['cut.tar', /cut\.tar has no file kuma\.db/],
    ['.', /\. has no kuma\.db/],
  ] as const
  for (const [name, words] of refused) {
    const { code, err } = await cli('import', name, '--org', alice.orgId)
    t.match({ code, err }, { code: 1, err: words })
    t.equal(err.split('\n').length, 1)
  }
  const other = await cli('import', '--from', 'healthchecks', 'whole.db', '--org', alice.orgId)
  t.match(other, { code: 1, err: /only of Uptime Kuma one is read/ })
  t.same(left(), [])
})
