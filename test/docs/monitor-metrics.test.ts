// What the documents give to Prometheus and Grafana: the settings, the rules and the dashboard work as they stand.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { monitorDashboard } from '../../scripts/docs/monitor-dashboard.ts'
import { initialMonitorState } from '../../src/domain/monitors/monitor-state.ts'
import { createMonitorMetrics } from '../../src/services/monitors/monitor-metrics.ts'
import { addJob, mintKey, register } from '../support/cast.ts'
import { startPrometheus } from '../support/child-peer.ts'
import { startDaemon } from '../support/daemon.ts'
import { makeHealth } from '../support/make-page.ts'
import { startMonitorServices } from '../support/monitor-services.ts'
import { skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const rulesFile = 'docs/prometheus/monitors.rules.yml'
const dashboardFile = 'docs/prometheus/monitors.dashboard.json'
const manual = textOf('docs/monitor-metrics.md')
const keyFile = '/etc/prometheus/stillup.key'

/** The blocks of YAML in the manual that are a whole settings file. */
const settingsFiles = [...manual.matchAll(/```yaml\n(# prometheus\.yml\n[\s\S]+?)```/g)].map(
  ([, block = '']) => block,
)

if (process.env.GOLDEN) {
  writeFileSync(join(root, dashboardFile), `${JSON.stringify(monitorDashboard, null, 2)}\n`)
}
const dashboard: typeof monitorDashboard = JSON.parse(textOf(dashboardFile))

const queries = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => String(expr)),
)

function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? '' : stdout + stderr
}

const namesIn = (text: string) =>
  new Set(text.match(/\bstillup_(?:monitor|organization)_[a-z_]+(?![a-z_]*-)/g))

t.test('the dashboard is the one that fits what Grafana publishes of dashboards', async (t) => {
  t.same(dashboard, monitorDashboard, 'GOLDEN=1 writes it')
  t.same(
    dashboard.panels.map(({ id }) => id),
    dashboard.panels.map((_, index) => index + 1),
  )
  const taken = new Set<string>()
  for (const { title, gridPos } of dashboard.panels) {
    const { x, y, w, h } = gridPos ?? { x: 0, y: 0, w: 0, h: 0 }
    t.ok(x + w <= 24, `${title} fits into the width`)
    for (let cell = 0; cell < w * h; cell += 1) {
      const place = `${x + (cell % w)} ${y + Math.floor(cell / w)}`
      if (taken.has(place)) t.fail(`${title} covers another panel`)
      taken.add(place)
    }
  }
})

t.test('manual, rules and dashboard name the metrics that there are', async (t) => {
  const { core, readings, world, clock } = startMonitorServices(t)
  const nowMs = clock.nowMs()
  await world.add(
    {},
    {
      ...initialMonitorState(nowMs),
      health: makeHealth('up', nowMs),
      lastAtMs: nowMs,
      responseTimeMs: 1,
      lastPhases: { dns: 1 },
      certificate: { expiresAtMs: nowMs, issuer: 'CA' },
      domainExpiresAtMs: nowMs,
    },
  )
  await world.run(2 * 3_600_000)
  const metrics = createMonitorMetrics(core, { readings })
  const text = Buffer.from(await metrics.text('operator')).toString()
  const told = new Set([...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name))
  t.ok(told.size >= 11)
  t.same([...namesIn(manual)].toSorted(), [...told].toSorted(), 'the manual names them all')
  for (const source of [textOf(rulesFile), ...queries]) {
    for (const name of namesIn(source)) t.ok(told.has(name), name)
  }
})

t.test('promtool accepts them', { skip: skipWithout('promtool') }, async (t) => {
  t.equal(promtool('check', 'rules', rulesFile), '')
  t.equal(promtool('test', 'rules', 'test/docs/monitors.rules.test.yml'), '')
  const folder = testFolder(t)
  const asked = join(folder, 'dashboard.yml')
  const rules = queries.map((expr, index) => ({
    record: `query_${index}`,
    expr: expr.replaceAll(/\$(type|name)\b/g, '.*'),
  }))
  writeFileSync(asked, stringify({ groups: [{ name: 'dashboard', rules }] }))
  t.equal(promtool('check', 'rules', asked), '', 'the queries of the dashboard')
  t.equal(settingsFiles.length, 3)
  for (const [index, settings] of settingsFiles.entries()) {
    const file = join(folder, `prometheus-${index}.yml`)
    writeFileSync(file, settings)
    t.equal(promtool('check', 'config', '--syntax-only', file), '', settings)
  }
})

const skip = skipWithout('prometheus')

t.test('a Prometheus with these settings reads and discovers monitors', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const alice = await register(daemon, 'alice')
  const job = await addJob(daemon, alice, 'Backup')
  await job.report('error')
  const json = { name: 'Shop', checkType: 'endpoint', url: 'http://127.0.0.1:9/' }
  await daemon.need('POST', `${alice.org}/monitors`, { cookie: alice.cookie, json })
  const folder = testFolder(t)
  const key = join(folder, 'stillup.key')
  writeFileSync(key, `${await mintKey(daemon, alice, 'viewer')}\n`)
  const { host } = new URL(daemon.url)
  const [read = '', , discover = ''] = settingsFiles.map((settings) =>
    settings
      .replaceAll(keyFile, key)
      .replaceAll('up.example.com', host)
      .replaceAll('https://', 'http://')
      .replaceAll('scheme: https', 'scheme: http'),
  )
  const jobs = discover.replace(/^[\s\S]*?scrape_configs:\n/, '')
  const settings = `global: { scrape_interval: 1s, scrape_timeout: 1s }\n${read}${jobs}`
  const prometheus = await startPrometheus(t, folder, settings)
  const query = async (expr: string) => {
    const found = await prometheus.ask(`query?query=${encodeURIComponent(expr)}`)
    return found.result.map(({ metric, value }: { metric: { name: string }; value: string[] }) => [
      metric.name,
      value[1],
    ])
  }
  await until(async () => (await query('stillup_monitor_up')).length > 0)
  t.same(await query('stillup_monitor_up{name="Backup"}'), [['Backup', '0']])
  t.same(await query('stillup_monitor_open_incidents{name="Backup"}'), [['Backup', '1']])
  const answers = new Map<string, unknown>()
  for (const expr of queries) {
    answers.set(expr, await query(expr.replaceAll(/\$(type|name)\b/g, '.*')))
  }
  const down = queries.find((expr) => expr.includes('state=~"down"'))
  t.same(answers.get(down ?? ''), [[undefined, '1']], 'the dashboard counts what is down')
  const { activeTargets } = await until(async () => {
    const found = await prometheus.ask('targets?state=active')
    return found.activeTargets.length === 2 && found
  })
  const followed = activeTargets.find(
    ({ scrapePool }: { scrapePool: string }) => scrapePool === 'blackbox',
  )
  t.same(followed.labels, { instance: json.url, job: 'blackbox', name: 'Shop' })
  t.match(followed.scrapeUrl, `target=${encodeURIComponent(json.url)}`)
})
