// stillup export: an organization as a file, on the machine of the daemon.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { movingWorld, runBeside } from '../../support/moving-world.ts'

t.test('an organization moves by a file, which the API would answer as well', async (t) => {
  const { daemon, alice, bob, cwd, cli } = await movingWorld(t)
  t.match(await cli('export', "alice's", 'alice.json'), { code: 0, out: /written/ })
  const path = join(cwd, 'alice.json')
  t.equal(statSync(path).mode & 0o777, 0o600)
  const document = JSON.parse(readFileSync(path, 'utf8'))
  const { exportedAt, ...answer } = await daemon.need('GET', `${alice.org}/export`, {
    cookie: alice.cookie,
  })
  t.same({ ...document, exportedAt }, { ...answer, exportedAt })
  t.match(await cli('export', alice.orgId, 'alice.json'), { code: 1, err: /alice.json exists/ })
  t.match(JSON.parse((await cli('export', alice.orgId)).out), { format: 'stillup/1' })

  const monitorsOfBob = async () =>
    (await daemon.need('GET', `${bob.org}/monitors`, { cookie: bob.cookie })).length
  const trial = await cli('import', 'alice.json', '--org', bob.orgId, '--dry-run')
  t.match(trial, { code: 0, out: /Would be created: .*2 monitors/ })
  t.equal(await monitorsOfBob(), 0, 'a dry run keeps nothing')
  const json = await cli('import', 'alice.json', '--org', bob.orgId, '--json')
  t.match(JSON.parse(json.out), { isTrial: false, monitors: 2, channels: 1 })
  t.equal(await monitorsOfBob(), 2)
})

t.test('an organization leaves as a file of another product, over the API as well', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const done = await cli('export', alice.orgId, 'gatus.yaml', '--as', 'gatus')
  t.match(done, { code: 0, out: /gatus.yaml: written/ })
  const text = readFileSync(join(cwd, 'gatus.yaml'), 'utf8')
  t.match(text, /^endpoints:\n- name: /m)
  const answer = await daemon.ask('GET', `/api/v1${alice.org}/export?format=gatus`, {
    cookie: alice.cookie,
  })
  t.equal(answer.text, text)
  t.match(answer.headers.get('content-type'), /^application\/yaml/)
  t.match(answer.headers.get('content-disposition'), /filename="gatus.yaml"/)
  t.match(await cli('export', alice.orgId, 'prometheus', '--as', 'prometheus'), { code: 0 })
  const files = ['blackbox.yml', 'prometheus.yml', 'targets.json']
  t.same(readdirSync(join(cwd, 'prometheus')).sort(), files)
  const [modules = ''] = files
  const ofApi = await daemon.ask(
    'GET',
    `/api/v1${alice.org}/export?format=prometheus&file=${modules}`,
    { cookie: alice.cookie },
  )
  t.equal(ofApi.text, readFileSync(join(cwd, 'prometheus', modules), 'utf8'))
  const wrong = await daemon.ask('GET', `/api/v1${alice.org}/export?format=csv&file=${modules}`, {
    cookie: alice.cookie,
  })
  t.equal(wrong.status, 400)
  t.match(await cli('export', alice.orgId, '--as', 'prometheus'), { code: 64, err: /directory/ })
  t.match(await cli('export', alice.orgId, '--as', 'csv'), { code: 0, out: /^id,name,type/ })
  t.match(await cli('export', alice.orgId, '--as', 'nagios'), { code: 64, err: /gatus/ })
  t.match(await cli('export', '--all', 'out', '--as', 'gatus'), { code: 0 })
  t.ok(existsSync(join(cwd, 'out', `${alice.orgId}.yaml`)))
})

t.test('every organization goes into a directory', async (t) => {
  const { alice, bob, cwd, cli } = await movingWorld(t)
  t.match(await cli('export', '--all', 'out'), { code: 0, out: /2 organizations/ })
  t.same(readdirSync(join(cwd, 'out')).sort(), [`${alice.orgId}.json`, `${bob.orgId}.json`].sort())
})

t.test('without a daemon both say what they need', async (t) => {
  const cwd = t.testdir({ 'a.json': '{}' })
  const dir = join(cwd, 'data')
  t.match(await runBeside(cwd, dir, 'export', 'Acme', 'b.json'), {
    code: 1,
    err: /must be running/,
  })
  t.notOk(existsSync(join(cwd, 'b.json')))
  t.match(await runBeside(cwd, dir, 'import', 'a.json', '--org', 'Acme'), {
    code: 1,
    err: /running/,
  })
})
