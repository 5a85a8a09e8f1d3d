// stillup cluster: what it writes and says where no daemon and no server is needed.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newUserKey } from '../../../src/cluster/user-key.ts'
import { command } from '../../../src/commands/cluster/cluster.ts'
import { fakeHost, typed } from '../../support/fake-host.ts'

const members = ['--member', 'a=10.0.0.1', '--member', 'b=10.0.0.2', '--member', 'c=10.0.0.3']

t.test('plan writes what three servers, their members and an operator need', async (t) => {
  const cwd = t.testdir()
  const host = fakeHost(cwd)
  t.equal(await typed(host, 'cluster', 'plan', 'plan', ...members), 0, host.complaints.join())
  const dir = join(cwd, 'plan')
  const names = ['a.nk', 'b.nk', 'c.nk', 'nats-a.conf', 'nats-b.conf', 'nats-c.conf', 'operator.nk']
  t.same(readdirSync(dir).toSorted(), names)
  for (const name of names) t.equal(statSync(join(dir, name)).mode & 0o777, 0o600, name)
  const config = JSON.parse(readFileSync(join(dir, 'nats-b.conf'), 'utf8'))
  t.match(config, {
    server_name: 'b',
    jetstream: { sync_interval: 'always' },
    cluster: {
      routes: ['tls://10.0.0.1:6222', 'tls://10.0.0.2:6222', 'tls://10.0.0.3:6222'],
      tls: { ca_file: '/etc/nats/ca.pem' },
    },
  })
  const [operator, a] = config.authorization.users
  t.match(operator, { nkey: /^U[A-Z2-7]{55}$/ })
  t.notOk(operator.permissions, 'the operator may make streams')
  t.match(a.permissions.publish, ['stillup.c0.log'])
  t.notMatch(JSON.stringify(config), /SU[A-Z2-7]{56}/, 'the servers know no secret')
  t.match(readFileSync(join(dir, 'a.nk'), 'utf8'), /^SU[A-Z2-7]{56}\n$/)
  t.not(
    await typed(fakeHost(cwd), 'cluster', 'plan', 'plan', ...members),
    0,
    'keys are not replaced',
  )
})

t.test('what is wrong is said in one line', async (t) => {
  const cwd = t.testdir()
  const cases: [words: string[], code: number, said: RegExp][] = [
    [['plan', 'plan', '--member', 'a=10.0.0.1'], 64, /three members/],
    [['plan', 'plan', '--member', 'a b'], 64, /NAME=HOST/],
    [['status'], 78, /there is no cluster/],
    [['check'], 78, /there is no cluster/],
    [['init'], 78, /there is no cluster/],
    [['step-down'], 1, /no daemon runs/],
  ]
  for (const [words, code, said] of cases) {
    const host = fakeHost(cwd)
    t.equal(await typed(host, 'cluster', ...words), code, words.join(' '))
    t.match(host.complaints[0], said, words.join(' '))
  }
  t.same(Object.keys(command.commands), ['plan', 'init', 'check', 'status', 'step-down', 'reseed'])
  t.not(newUserKey().seed, newUserKey().seed)
})
