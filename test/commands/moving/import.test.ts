// stillup import: what is refused, and what comes from other products.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { counterparts } from '../../../src/domain/imports/healthchecks/integrations.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { documents } from '../../../src/http/api/api.ts'
import { convertFile } from '../../../src/services/orgs/foreign-files.ts'
import { betterstackAnswer } from '../../support/betterstack-samples.ts'
import { blackboxFile } from '../../support/blackbox-samples.ts'
import { checklyAnswer } from '../../support/checkly-samples.ts'
import { gatusConfig, healthchecksAnswer, kumaBackup } from '../../support/foreign-samples.ts'
import { movingWorld, runBeside } from '../../support/moving-world.ts'
import { oneuptimeFile } from '../../support/oneuptime-samples.ts'
import { pingdomAnswer } from '../../support/pingdom-samples.ts'
import { uptimerobotAnswer } from '../../support/uptimerobot-samples.ts'
import { uptimerobotV3Answer } from '../../support/uptimerobot-v3-samples.ts'

t.test('what is wrong is named by pointer and rule, and nothing is imported', async (t) => {
  const { alice, cwd, cli } = await movingWorld(t)
  const document = {
    format: 'stillup/1',
    monitors: [
      { name: 'A', url: 'http://127.0.0.1:9/' },
      { name: 'B', url: 'ftp://x' },
      { name: 'C', url: 'http://127.0.0.1:9/', timeoutMs: 5 },
    ],
  }
  writeFileSync(join(cwd, 'wrong.json'), JSON.stringify(document))
  for (const more of [[], ['--dry-run']]) {
    const { code, err } = await cli('import', 'wrong.json', '--org', alice.orgId, ...more)
    t.equal(code, 1)
    t.match(err, /nothing was imported/)
    t.match(err, /\/monitors\/1\/url must/)
    t.match(err, /\/monitors\/2\/timeoutMs must/)
  }
  const hostile = { format: 'stillup/1', monitors: [{ name: `\u001b[31m${'x'.repeat(999)}` }] }
  writeFileSync(join(cwd, 'hostile.json'), JSON.stringify(hostile))
  const { err } = await cli('import', 'hostile.json', '--org', alice.orgId)
  t.match(err, /\("\?\[31mx{1,120}…?"\)/, 'what it holds does not reach the terminal as it is')
  const nested = `{"format":"stillup/1","monitors":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  writeFileSync(join(cwd, 'nested.json'), nested)
  t.match(await cli('import', 'nested.json', '--org', alice.orgId), {
    code: 1,
    err: /nested too deeply/,
  })
  writeFileSync(join(cwd, 'broken.json'), '{')
  t.match(await cli('import', 'broken.json', '--org', alice.orgId), { code: 1, err: /not JSON/ })
  writeFileSync(join(cwd, 'list.json'), '[]')
  t.match(await cli('import', 'list.json', '--org', alice.orgId), { code: 1, err: /object/ })
  t.match(await cli('import', 'none.json', '--org', alice.orgId), { code: 74, err: /ENOENT/ })
  t.match(await cli('import', 'list.json'), { code: 64, err: /needs --org/ })
  t.match(await cli('export', 'Nobody'), { code: 1, err: /no such organization/ })
})

t.test('of a list that is too long, no more is read than could be imported', async (t) => {
  const most = limits.importMonitorsMax
  const monitors = Array.from({ length: most + 1 }, () => ({}))
  const [document, { problems }] = documents.read({ format: 'stillup/1', monitors })
  t.match(problems, [{ pointer: '/monitors', message: `must have at most ${most} entries` }])
  t.equal(document.monitors?.length, most)
})

t.test("Kuma's notifications come over with their secrets, which nobody is shown", async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const file = join(cwd, 'backup.json')
  writeFileSync(file, JSON.stringify(kumaBackup))
  const done = await cli('import', '--from', 'kuma', file, '--org', alice.orgId)
  t.match(done, { code: 0, out: /1 alert channel/, err: /"Text": SMSC .*; alerted by Site/ })
  const { cookie } = alice
  const channels = await daemon.need('GET', `${alice.org}/alert-channels`, { cookie })
  const ops = channels.find(({ name }: { name: string }) => name === 'Ops')
  t.match(ops, { type: 'slack', isActive: true, isDefault: false, config: { webhookUrl: /^•+$/ } })
  const monitors = await daemon.need('GET', `${alice.org}/monitors?q=Site`, { cookie })
  t.match(
    monitors.filter(
      ({ notifyChannelIds }: { notifyChannelIds: string[] }) => notifyChannelIds.length > 0,
    ),
    [{ name: 'Site', notifyChannelIds: [ops.id] }],
  )
  daemon.secrets.add('hooks.test/s')
  await daemon.stop()
  t.same(daemon.leaks(), [])
})

const csvTable = [
  'name,type,url,interval,keyword,port',
  'Shop,http,shop.example.org,60,Cart,',
  'Router,ping,192.0.2.1,5m,,',
  'Mail,port,mx.example.org,,,25',
  'Job,heartbeat,,1d,,',
  'Certificate,ssl,shop.example.org,,,',
  'Odd,ftp,x.example.org,,,',
].join('\n')

t.test('documents of other products become valid ones, and what is left out is told', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const files = [
    ['kuma', 'backup.json', JSON.stringify(kumaBackup), 13, /"Container": its Docker host/],
    ['gatus', 'config.yaml', stringify(gatusConfig), 10, /"sctp": .*left out/],
    ['oneuptime', 'oneuptime.json', oneuptimeFile, 16, /"The Server": .*needs an agent/],
    ['healthchecks', 'checks.json', JSON.stringify(healthchecksAnswer), 6, /"Once": its/],
    ['uptimerobot', 'robot.json', JSON.stringify(uptimerobotAnswer), 5, /"New": its type 12/],
    ['uptimerobot', 'robot-3.json', JSON.stringify(uptimerobotV3Answer), 11, /"Look": its type/],
    [
      'betterstack',
      'stack.json',
      JSON.stringify(betterstackAnswer),
      6,
      /"Script": its script is no script/,
    ],
    ['pingdom', 'pingdom.json', JSON.stringify(pingdomAnswer), 10, /"New": its type "teapot"/],
    ['checkly', 'checkly.json', JSON.stringify(checklyAnswer), 9, /"Way": its type TRACEROUTE/],
    ['blackbox', 'prometheus.yml', blackboxFile, 6, /there is no module none/],
    ['csv', 'table.csv', csvTable, 5, /"Odd": its type "ftp"/],
  ] as const
  for (const [from, file, text, count, left] of files) {
    writeFileSync(join(cwd, file), text)
    const found = await cli('import', '--from', from, file, '--org', alice.orgId, '--dry-run')
    t.match(found, { code: 0, out: new RegExp(`Would be created: .*${count} monitors`) }, from)
    t.match(found.err, left)
  }
  const convert = (product: string, text: string) =>
    daemon.ask('POST', `/api/v1${alice.org}/import/convert`, {
      cookie: alice.cookie,
      json: { product, text },
    })
  const [, , oneuptime] = files
  const { data } = (await convert('oneuptime', oneuptime[2])).json
  t.same(data, JSON.parse(JSON.stringify(convertFile('oneuptime', oneuptime[2]))))
  // The same without the start of a process for each.
  for (const [from, , text, count] of files) {
    const { document, notes } = convertFile(from, text)
    t.ok(notes.length > 0)
    const { cookie } = alice
    const found = await daemon.need('POST', `${alice.org}/import/trial`, { cookie, json: document })
    t.equal(found.monitors, count, `${from}, over the API`)
  }
  t.match(await convert('kuma', '['), { status: 422, json: { detail: /text is not JSON/ } })
  t.match(await convert('gatus', `# ${'x'.repeat(200_000)}`), {
    status: 422,
    json: { detail: /at most 131072 characters of YAML; stillup import/ },
  })
  t.equal(
    (await daemon.need('GET', `${alice.org}/monitors`, alice)).length,
    2,
    'a trial keeps none',
  )

  const saved = await cli('import', '--from', 'kuma', 'backup.json', '--save', 'ours.json')
  t.match(saved, { code: 0, out: /nothing was imported/ })
  const document = JSON.parse(readFileSync(join(cwd, 'ours.json'), 'utf8'))
  t.match(document, { format: 'stillup/1', monitors: { length: 13 } })
})

t.test('an integration becomes a channel that waits for where it sends to', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const kinds = Object.keys(counterparts)
  const channels = kinds.map((kind, index) => ({
    id: `1bdea468-03bf-47b8-ab27-${String(index).padStart(12, '0')}`,
    name: kind,
    kind,
  }))
  const [check] = healthchecksAnswer.checks
  const checks = [{ ...check, channels: channels.map(({ id }) => id).join(',') }]
  writeFileSync(join(cwd, 'checks.json'), JSON.stringify({ checks, channels }))
  const from = ['--from', 'healthchecks', 'checks.json', '--org', alice.orgId]
  const found = await cli('import', ...from)
  t.match(found, { code: 0, out: /email: to$/m })
  const { cookie } = alice
  const made = await daemon.need('GET', `${alice.org}/alert-channels?limit=100`, { cookie })
  const ours = made.filter(({ name }: { name: string }) => kinds.includes(name))
  t.equal(ours.length, kinds.length)
  for (const { name, isActive, id } of ours) {
    t.equal(isActive, false, name)
    if (name !== 'email') continue
    const json = { config: { to: ['ops@example.org'] }, isActive: true }
    const path = `/api/v1${alice.org}/alert-channels/${id}`
    t.match(await daemon.ask('PATCH', path, { cookie, json: { isActive: true } }), { status: 422 })
    t.match(await daemon.ask('PATCH', path, { cookie, json }), { status: 200 })
  }
})

t.test('what is refused of another product is left out, and told by its name', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const monitors = async () =>
    (await daemon.need('GET', `${alice.org}/monitors`, { cookie: alice.cookie })).length
  const before = await monitors()
  const web = { type: 'http', interval: 60, maxretries: 0, active: true }
  const list = [
    { ...web, name: 'Good', url: 'http://127.0.0.1:9/' },
    { ...web, name: 'Bad', url: 'not a url' },
  ]
  const write = (items: readonly object[]) =>
    writeFileSync(join(cwd, 'list.json'), JSON.stringify({ monitorList: items }))
  write(list)
  const argv = ['import', '--from', 'kuma', 'list.json', '--org', alice.orgId]
  const { code, out, err } = await cli(...argv)
  t.match({ code, out }, { code: 0, out: /Created: .*\b1 monitor\b/ })
  t.match(out + err, /Bad.*url/s)
  t.equal(await monitors(), before + 1)
  writeFileSync(join(cwd, 'list.json'), 'endpoints: [}')
  t.match(await cli('import', '--from', 'gatus', 'list.json', '--save', 'x'), {
    code: 1,
    err: /not YAML/,
  })
  writeFileSync(join(cwd, 'list.json'), '{}')
  t.match(await cli(...argv), { code: 1, err: /has no monitors in the form of kuma/ })
  write(list.slice(0, 1))
  const apart = ['import', '--from', 'kuma', 'list.json', '--save', 'apart.json']
  t.match(await runBeside(cwd, daemon.dir, ...apart), { code: 0 }, 'in a process apart')
  t.match(JSON.parse(readFileSync(join(cwd, 'apart.json'), 'utf8')), {
    monitors: [{ name: 'Good' }],
  })
})

t.test('the secrets of a document are named that wait for a value', async (t) => {
  const { alice, cwd, cli } = await movingWorld(t)
  const secrets = [{ name: 'SHOP_TOKEN', hosts: ['shop.example.com'] }, { name: 'OTHER' }]
  writeFileSync(join(cwd, 'secrets.json'), JSON.stringify({ format: 'stillup/1', secrets }))
  t.match(await cli('import', 'secrets.json', '--org', alice.orgId), {
    code: 0,
    out: /Created: .*2 secrets(.|\n)*Without a value until you enter it .*: SHOP_TOKEN, OTHER\./,
  })
})

t.test('a folder of Gatus is one configuration, with the variables of its service', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  mkdirSync(join(cwd, 'config'))
  const endpoint = (name: string) =>
    `endpoints:\n  - {name: ${name}, url: "https://$HOST/${name}", conditions: ["[STATUS] == 200"], alerts: [{type: slack}]}\n`
  writeFileSync(join(cwd, 'config', 'a.yaml'), endpoint('a'))
  writeFileSync(
    join(cwd, 'config', 'b.yml'),
    `${endpoint('b')}alerting: {slack: {webhook-url: "\${SLACK}"}}\n`,
  )
  writeFileSync(join(cwd, 'gatus.env'), '# of its service\nHOST="shop.example"\n')
  const into = ['--org', alice.orgId] as const
  const found = await cli('import', '--from', 'gatus', 'config', '--env', 'gatus.env', ...into)
  t.match(found, { code: 0, out: /Created: 2 monitors, 1 alert channel/ })
  t.match(found.out, /Switched off until you enter them[\s\S]*slack.*: webhookUrl/)
  t.match(found.err, /variables without a value: SLACK;/)
  const json = {
    product: 'gatus',
    text: endpoint('a'),
    environment: 'HOST=shop.example',
    installation: 'shop',
  }
  const path = `/api/v1${alice.org}/import/convert`
  const converted = await daemon.ask('POST', path, { cookie: alice.cookie, json })
  t.match(converted.json.data.document, {
    source: { product: 'gatus', installation: 'shop' },
    monitors: [{ url: 'https://shop.example/a' }],
  })
  const { status, json: problem } = await daemon.ask('POST', path, {
    cookie: alice.cookie,
    json: { ...json, environment: 'no line of one' },
  })
  const more = [{ name: 'c.yaml', text: 'a: [' }]
  const several = { ...json, name: 'a.yaml', more }
  const refused = await daemon.ask('POST', path, { cookie: alice.cookie, json: several })
  t.match(refused.json.errors, [{ pointer: '/text', message: /^has c.yaml, which is not YAML/ }])
  t.match([status, problem.errors], [422, [{ message: /without a name before the = in line 1/ }]])
  t.match(await cli('import', '--from', 'kuma', 'x.json', '--env', 'y', ...into), {
    code: 64,
    err: /--env is for --from gatus alone/,
  })
  writeFileSync(join(cwd, 'config', 'c.yaml'), 'metrics: true')
  writeFileSync(join(cwd, 'config', 'd.yaml'), 'metrics: false')
  t.match(await cli('import', '--from', 'gatus', 'config', ...into), {
    code: 1,
    err: /config sets metrics in c.yaml and in d.yaml: Gatus refuses that/,
  })
})
