// Files in a folder that is listed, and ways that seem to lead there.
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { file } from '../../../src/probes/machine/file.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { testFolder } from '../../support/test-folder.ts'

const clock = startClock()
t.after(() => clock.stop())
const dir = testFolder(t)
const [backups, secret] = [join(dir, 'backups'), join(dir, 'secret')]
for (const one of [backups, secret, join(backups, 'old')]) mkdirSync(one)

const nowSeconds = Math.floor(Date.now() / 1_000)
function made(name: string, ageSeconds: number, bytes = 10): void {
  writeFileSync(join(dir, name), 'x'.repeat(bytes))
  utimesSync(join(dir, name), nowSeconds - ageSeconds, nowSeconds - ageSeconds)
}
made('backups/db-1.dump', 90_000)
made('backups/db-2.dump', 7_200, 5_000)
made('backups/db-3.log', 60)
made('backups/old/db.dump', 7_200)
made('secret/key.dump', 5)
symlinkSync(join(backups, 'db-2.dump'), join(backups, 'latest'))
symlinkSync(join(secret, 'key.dump'), join(backups, 'out'))
symlinkSync(join(secret, 'key.dump'), join(backups, 'db-9.dump'))
symlinkSync(secret, join(backups, 'folder'))
symlinkSync(backups, join(dir, 'alias'))

const { probe } = file.open({
  guard: createGuard({
    targets: 'public',
    machine: { ...openMachine, files: [backups, join(dir, 'alias')] },
  }),
  resolver: resolverTo('127.0.0.1'),
  clock,
})
const look = (url: string) =>
  probe(makeTarget({ checkType: 'file', url }), { clock, keepsAnswer: true })

t.test('a file is young and large enough, or not', async (t) => {
  const url = `file://${backups}/db-2.dump`
  t.match(await look(url), {
    result: 'good',
    found: { name: 'db-2.dump', bytes: 5_000, modifiedAt: /^20.*Z$/, matches: 1 },
  })
  const { value } = (await look(url)).found as { readonly value: number }
  t.ok(Math.abs(value - 7_200) < 30, `${value} s`)
  t.match(await look(`${url}?maxAge=3h&minBytes=5000`), { result: 'good' })
  t.match(await look(`${url}?maxAge=90m`), {
    error: { kind: 'assertion', message: 'the file is older than 90m' },
    found: { name: 'db-2.dump' },
  })
  t.match(await look(`${url}?minBytes=5001`), {
    error: { message: 'the file is smaller than 5,001 bytes' },
  })
  t.match(await look(`file://${backups}/old/db.dump`), { result: 'good' })
  t.match(await look(`file://${backups}/none`), { error: { message: 'there is no such file' } })
  t.match(await look(`file://${backups}/old`), { error: { message: 'it is not a file' } })
})

t.test('of several files the newest counts', async (t) => {
  t.match(await look(`file://${backups}/db-*.dump?maxAge=3h`), {
    result: 'good',
    found: { name: 'db-2.dump', matches: 2 },
  })
  t.match(await look(`file://${backups}/*`), { found: { name: 'db-3.log', matches: 3 } })
  t.match(await look(`file://${backups}/*.tar`), { error: { message: 'there is no such file' } })
})

t.test('links are followed within the folders that are listed, and not out of them', async (t) => {
  t.match(await look(`file://${backups}/latest`), { result: 'good', found: { bytes: 5_000 } })
  t.match(await look(`file://${dir}/alias/db-2.dump`), { result: 'good' })
  for (const way of ['out', 'folder/key.dump', 'folder/*.dump']) {
    t.match(
      await look(`file://${backups}/${way}`),
      { result: 'unknown', error: { message: /a link leads out of the folders/ } },
      way,
    )
  }
})

t.test('no other path is looked at, however it is written', async (t) => {
  const ways = [
    ...[`file://${secret}/key.dump`, 'file:///etc/passwd', `file://${dir}/backups2/x`],
    ...[`file://${backups}/../secret/key.dump`, `file://${backups}/%2e%2e/secret/key.dump`],
    ...[`file://${backups}/..%2fsecret/key.dump`, `file://${backups}%2f..%2fsecret/key.dump`],
    ...[`file://${backups}//x`, `file://${backups}/./x`, `file://${backups}/`, 'file:///'],
    ...[`file://${backups}/a%00b`, `file://${backups}/a\\b`, `file://localhost${backups}/a`],
    ...[`FILE://${backups}/a`, `file:${backups}/a`, `file://${dir}/*/key.dump`, `file://${dir}/*`],
    ...[
      `file://${backups}/a?maxAge=1w`,
      `file://${backups}/a?minBytes=-1`,
      `file://${backups}/a#b`,
    ],
  ]
  for (const url of ways) {
    t.match(await look(url), { error: { kind: 'blocked' } }, url)
  }
})
