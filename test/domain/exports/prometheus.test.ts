// An organization as targets of Prometheus and modules of its blackbox_exporter.
import t from 'tap'
import { parse } from 'yaml'
import { prometheusFilesOf } from '../../../src/domain/exports/prometheus.ts'
import { sampleId, sampleMonitors, writtenBy } from '../../support/outgoing-samples.ts'

interface Target {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

function written(document: object) {
  const { files, notes } = writtenBy(prometheusFilesOf(document))
  const text = (name: string) => files.find((file) => file.name === name)?.text ?? ''
  const { modules } = parse(text('blackbox.yml')) as { modules: Record<string, object> }
  const targets = JSON.parse(text('targets.json')) as readonly Target[]
  return { scrape: parse(text('prometheus.yml')) as object, modules, targets, notes, text }
}

/** The words of a module for a field. */
const words: Readonly<Record<string, RegExp>> = {
  method: /"method":/,
  expectedStatus: /"valid_status_codes":/,
  acceptedStatuses: /"valid_status_codes":/,
  followRedirects: /"follow_redirects":false/,
  ignoreTlsErrors: /"insecure_skip_verify":true/,
  bodyContains: /all is well/,
  bodyNotContains: /out of order/,
  assertions: /regexp/,
  ipFamily: /"preferred_ip_protocol":"ip[46]"/,
  timeoutMs: /"timeout":"(5000|2500)ms"/,
  tags: /"tags":/,
  body: /ping/,
  username: /"username":"ann"/,
  intervalSeconds: /"__scrape_interval__"/,
}
const isSaid = (field: string, module: string) => words[field]?.test(module) ?? false

t.test('each monitor has a target with its module, or is named', async (t) => {
  const samples = sampleMonitors(20)
  const monitors = samples.map(({ monitor }) => monitor)
  const { scrape, modules, targets, notes } = written({ monitors })
  t.match(scrape, {
    scrape_configs: [{ metrics_path: '/probe', file_sd_configs: [{ files: ['targets.json'] }] }],
  })
  const byName = new Map(targets.map((target) => [target.labels.monitor, target]))
  for (const { monitor, chosen } of samples) {
    const said = notes.filter(({ name }) => name === monitor.name).map(({ text }) => text)
    const target = byName.get(monitor.name)
    if (target === undefined) t.match(said.join('; '), /left out/, monitor.name)
    else {
      t.ok(modules[target.labels.__param_module ?? ''], monitor.name)
      t.equal(target.labels.__scrape_interval__, `${monitor.intervalSeconds}s`)
      const module = JSON.stringify([target, modules[target.labels.__param_module ?? '']])
      const unnamed = chosen.filter(
        (field) => !said.join(' ').includes(field) && !isSaid(field, module),
      )
      t.same(unnamed, [], monitor.name)
    }
  }
})

t.test('what a request expects is in its module', async (t) => {
  const monitor = {
    ...{ id: sampleId('mon', 0), name: 'Shop', checkType: 'endpoint', intervalSeconds: 60 },
    ...{ url: 'https://shop.example.org/', timeoutMs: 5_000, bodyContains: 'a+b' },
    ...{ acceptedStatuses: ['201-202'], username: 'ann', tags: ['prod', 'eu'] },
    assertions: [
      { source: 'header', path: 'Server', type: 'equals', value: 'x.y' },
      { source: 'json', path: '$.a', type: 'equals', value: '1' },
    ],
  }
  const twin = { ...monitor, id: sampleId('mon', 1), name: 'Twin', url: 'https://b.example/' }
  const { modules, targets, notes } = written({ monitors: [monitor, twin] })
  t.same(Object.keys(modules), ['http'], 'what is the same is one module')
  t.same(modules.http, {
    prober: 'http',
    timeout: '5000ms',
    http: {
      valid_status_codes: [200, 201, 202],
      basic_auth: { username: 'ann', password_file: 'password' },
      fail_if_body_not_matches_regexp: ['a\\+b'],
      fail_if_header_not_matches: [{ header: 'Server', regexp: '^x\\.y$', allow_missing: false }],
    },
  })
  t.same(targets[0], {
    targets: ['https://shop.example.org/'],
    labels: {
      __param_module: 'http',
      __scrape_interval__: '60s',
      __scrape_timeout__: '6s',
      monitor: 'Shop',
      tags: ',prod,eu,',
    },
  })
  t.match(notes.map(({ text }) => text).join('\n'), /of its assertions json \$\.a equals 1/)
})
