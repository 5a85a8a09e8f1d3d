// Jobs of Prometheus that ask the blackbox exporter become monitors, one for each target.
import t from 'tap'
import { parse } from 'yaml'
import { fromBlackbox } from '../../../../src/domain/imports/blackbox/blackbox.ts'
import { blackboxYaml, prometheusYaml, webTargets } from '../../../support/blackbox-samples.ts'

const files = [
  { name: 'prometheus.yml', document: parse(prometheusYaml, { merge: true }) },
  { name: 'blackbox.yml', document: parse(blackboxYaml) },
  { name: 'targets/web-1.json', document: JSON.parse(webTargets) },
  { name: 'targets/other.json', document: [{ targets: ['https://no.example/'] }] },
]
const linesOf = ({ notes }: ReturnType<typeof fromBlackbox>) =>
  notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')

t.test('each target is a monitor with what its module expects', async (t) => {
  const found = fromBlackbox(files)
  t.same(found.source, { product: 'blackbox', installation: 'cluster=shop' })
  t.same(found.monitors[0], {
    origin: 'probe/web/http_2xx/https://shop.example.org/',
    name: 'https://shop.example.org/',
    intervalSeconds: 30,
    timeoutMs: 5_000,
    checkType: 'endpoint',
    url: 'https://shop.example.org/',
    method: 'GET',
    expectedStatus: 200,
    acceptedStatuses: ['200-299'],
    followRedirects: true,
    ipFamily: 'ipv4',
    tags: ['web', 'team=shop'],
  })
  t.match(found.monitors.slice(1), [
    { url: 'http://shop.example.org:8080' },
    { name: 'Files', url: 'https://files.example.org/', tags: ['web'] },
    { checkType: 'tcp', url: 'tcp://192.0.2.1:22', intervalSeconds: 120, timeoutMs: 10_000 },
    { checkType: 'ping', url: 'ping://192.0.2.1' },
    { checkType: 'dns', url: 'dns://example.org?type=A&server=192.0.2.53' },
  ])
  t.equal(found.monitors.length, 6)
  const lines = linesOf(found)
  t.match(lines, /job\/web web: targets that are found by consul_sd_configs/)
  t.match(lines, /job\/web web: its file \/etc\/prometheus\/none\.yml: it is not there/)
  t.match(lines, /job\/others others: 1 targets that its relabelling drops/)
  t.match(lines, /there is no module none: the monitor was left out/)
  t.match(lines, /jobs that ask no exporter for probes: node/)
  t.match(lines, /its alerting rules and Alertmanager/)
  t.match(lines, /modules that no job asks for: unused/)
})

t.test('installations stay apart by their labels, or by a name', async (t) => {
  t.equal(fromBlackbox(files, 'office').source?.installation, 'office')
  const [prometheus, ...rest] = files
  const document = { ...prometheus?.document, global: {} }
  t.match(fromBlackbox([{ name: '', document }, ...rest]).source, { installation: 'prometheus' })
})

t.test('files that are something else are refused in one sentence', async (t) => {
  const refused = (documents: readonly unknown[], message: RegExp) =>
    t.throws(() => fromBlackbox(documents.map((document) => ({ name: '', document }))), {
      name: 'ForeignFileRefused',
      message,
    })
  refused([{}, [], 'x', null], /has no scrape_configs of Prometheus/)
  refused([{ scrape_configs: [] }], /has no modules of the blackbox exporter/)
  const targets = Array.from({ length: 10_001 }, (_, index) => `h${index}`)
  const job = { metrics_path: '/probe', static_configs: [{ targets }] }
  refused(
    [{ scrape_configs: [job] }, { modules: { http_2xx: { prober: 'icmp' } } }],
    /at most 10000/,
  )
})

t.test('nonsense becomes nothing', async (t) => {
  const job = { metrics_path: '/probe', static_configs: [{ targets: [7, {}, null] }] }
  const odd = { scrape_configs: [7, null, job], global: 7 }
  const modules = { http_2xx: { prober: 'http', http: { tls_config: 7, headers: 7 } } }
  const found = fromBlackbox([
    { name: '', document: odd },
    { name: '', document: { modules } },
  ])
  t.ok(found.monitors.length <= 3)
})
