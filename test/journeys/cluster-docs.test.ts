// A stranger with three machines and docs/cluster.md: the commands of the page, as they stand, until a monitor that was
// made on the leader is seen on the next one after the machine of the first has died.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { shellBlocks } from '../../scripts/docs/blocks.ts'
import { isDeep } from '../support/depth.ts'
import { type DocsMachine, makeInternet, startDocsMachine } from '../support/docs-machine.ts'
import { skipWithoutNats } from '../support/nats-server.ts'
import { namespaceProblem, openStar } from '../support/network-namespace.ts'
import { skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const skip =
  (!isDeep && 'minutes of real time: only in a deep run') ||
  skipWithout('bash', 'curl', 'ip', 'jq', 'nft', 'openssl') ||
  skipWithoutNats() ||
  namespaceProblem()

const root = join(import.meta.dirname, '../..')
const names = ['a', 'b', 'c'] as const
type Name = (typeof names)[number]
const lines = readFileSync(join(root, 'docs/cluster.md'), 'utf8').split('\n')
const blocks = shellBlocks(root).filter(({ file }) => file === 'docs/cluster.md')
const failoverMsMax = 90_000
const setupToken = 'a-setup-token-of-the-tests'
const local = 'http://127.0.0.1:8080'

const headingAbove = (line: number) =>
  lines
    .slice(0, line)
    .findLast((one) => one.startsWith('## '))
    ?.slice(3)

async function threeMachines(t: Test) {
  const star = openStar(t, names)
  const net = makeInternet(testFolder(t))
  const at = {} as Record<Name, DocsMachine>
  for (const name of names) {
    at[name] = await startDocsMachine(t, {
      net,
      address: star.addressOf(name),
      within: star.within(name),
      settings: { auth: `setupToken = "${setupToken}"` },
    })
  }
  const run = (name: Name, code: string) =>
    at[name].run(
      names.reduce(
        (text, one, index) => text.replaceAll(`10.0.0.${index + 1}`, star.addressOf(one)),
        code,
      ),
    )

  /** Runs what stands below a heading; returns what it said. */
  async function section(heading: string, leading: Name = 'a'): Promise<string> {
    const own = blocks.filter(({ line }) => headingAbove(line) === heading)
    t.ok(own.length > 0, `${heading} has commands`)
    let said = ''
    for (const { way, code } of own) {
      const all = { each: names, leader: [leading], others: names.filter((one) => one !== leading) }
      const on = all[way as keyof typeof all] ?? [way as Name]
      for (const name of on) said += await run(name, code)
    }
    return said
  }

  /** One request to the daemon of a machine, by curl there. */
  async function ask(name: Name, path: string, json?: object, key?: string) {
    const body = json ? `-d '${JSON.stringify(json)}'` : ''
    const header = key ? `-H 'x-api-key: ${key}'` : '-b /root/jar -c /root/jar'
    const said = await at[name].run(
      `curl -sS ${header} -H 'content-type: application/json' ${body} ${local}/api/v1${path}`,
    )
    return JSON.parse(said).data
  }
  const leader = (among: readonly Name[]) =>
    until(async () => {
      for (const name of among) {
        if ((await at[name].run(`curl -sS ${local}/readyz || true`)).startsWith('ready'))
          return name
      }
      return undefined
    }, failoverMsMax)
  const status = (name: Name) => at[name].run('stillup cluster status')
  const inStep = (asked: Name, members: readonly Name[]) =>
    until(async () => {
      const said = await status(asked)
      return members.every((name) =>
        new RegExp(`^${name}: standby.* 0 records behind$`, 'm').test(said),
      )
    }, failoverMsMax)
  return { star, at, run, section, ask, leader, inStep, status }
}

t.test('the page has a cluster that outlives its leader', { skip }, async (t) => {
  const { at, star, section, ask, leader, inStep, run } = await threeMachines(t)
  const startedMs = Date.now()
  const say = (what: string) =>
    t.comment(`${Math.round((Date.now() - startedMs) / 1_000)} s: ${what}`)
  await run('a', 'systemctl enable --now stillup')
  const { organization } = await ask('a', '/auth/register', {
    ...{
      email: 'ada@example.com',
      name: 'Ada',
      password: 'a long password',
      organizationName: 'Acme',
    },
    setupToken,
  })
  const org = `/orgs/${organization.id}`
  const { key } = await ask('a', `${org}/api-keys`, { name: 'tests', role: 'admin' })
  const monitor = (name: string) => ({ name, url: 'http://127.0.0.1:9/', intervalSeconds: 3_600 })
  await ask('a', `${org}/monitors`, monitor('before'), key)
  say('one machine with its data')

  // As the page says, the settings of the service are the same on all of them.
  for (const name of names)
    await run(
      name,
      'sed -i \'/^\\[http\\]$/a baseUrl = "https://up.example.com"\' /etc/stillup/stillup.toml',
    )
  const said = await section('Set it up')
  t.match(said, /made STILLUP_c0.*a: leads.*the cluster is as it must be/s)
  await inStep('c', ['b', 'c'])
  say('a cluster')
  t.match(await run('b', 'stillup doctor || true'), /ok +cluster: streams/)
  t.match(await section('Which one leads?'), /^a$/m)
  await ask('a', `${org}/monitors`, monitor('on the first leader'), key)
  at.a.cutPower()
  const killedMs = Date.now()
  const second = await leader(['b', 'c'])
  say(`${second} leads, ${Date.now() - killedMs} ms after the machine of a had no power`)
  const monitors = async (name: Name) => {
    const found = await ask(name, `${org}/monitors`, undefined, key)
    return found.map((one: { name: string }) => one.name).toSorted()
  }
  t.same(await monitors(second), ['before', 'on the first leader'])

  await run('a', 'systemctl start nats-server\nsystemctl start stillup')
  const others = names.filter((name) => name !== second)
  await inStep(second, others)
  say('a follows')
  await section('Let another one lead', second)
  const third = await leader(others)
  await inStep(
    third,
    names.filter((name) => name !== third),
  )
  say(`${third} leads`)

  await run(third, 'stillup backup create')
  await ask(third, `${org}/monitors`, monitor('after the backup'), key)
  await inStep(
    third,
    names.filter((name) => name !== third),
  )
  for (const name of names) await run(name, 'systemctl stop stillup')
  if (third !== 'a') {
    const theirs = star.addressOf(third)
    await run('a', `scp /root/plan/operator.nk root@${theirs}:/root/operator.nk`)
  } else await run('a', 'cp /root/plan/operator.nk /root/')
  await section('Begin with old data', third)
  for (const name of names) if (name !== third) await run(name, 'systemctl start stillup')
  await leader([third])
  await inStep(
    third,
    names.filter((name) => name !== third),
  )
  t.same(await monitors(third), ['before', 'on the first leader'])
  say('a backup is restored')
  await run(third, 'stillup cluster step-down')
  const last = await leader(names.filter((name) => name !== third))
  t.same(await monitors(last), ['before', 'on the first leader'])

  await section('Back to one machine', last)
  await leader([last])
  t.same(await monitors(last), ['before', 'on the first leader'])
  say(`${last} is alone`)
})
