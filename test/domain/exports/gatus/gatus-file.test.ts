// An organization as a configuration of Gatus.
import t from 'tap'
import { parse } from 'yaml'
import { gatusFile } from '../../../../src/domain/exports/gatus/gatus-file.ts'
import { convertFile } from '../../../../src/services/orgs/foreign-files.ts'
import {
  lostFields,
  type SampleItem,
  sampleChannels,
  sampleId,
  sampleMonitors,
  writtenBy,
} from '../../../support/outgoing-samples.ts'

const written = (document: object) => {
  const { files, notes } = writtenBy(gatusFile(document))
  return { text: files[0]?.text ?? '', notes }
}

/** A value for each variable that the file asks for. */
const valuesFor = (text: string) =>
  [...text.matchAll(/^# {3}(\w+):/gm)]
    .map(([, name]) => `${name}=https://example.org/${name}`)
    .join('\n')

t.test('what leaves for Gatus comes back the same, or is named', async (t) => {
  const samples = sampleMonitors(20)
  const [slack] = sampleChannels().channels.filter(({ type }) => type === 'slack')
  const channels = [{ ...slack, isDefault: true }]
  const document = {
    channels,
    monitors: samples.map(({ monitor }) => monitor),
    secretsOmitted: ['/channels/0/config/webhookUrl'],
  }
  const { text, notes } = written(document)
  const again = convertFile('gatus', text, { environment: valuesFor(text) })
  const byName = new Map(again.document.monitors.map((monitor) => [monitor.name, monitor]))
  for (const sample of samples) {
    const { name, checkType } = sample.monitor
    const domain: Partial<SampleItem> = byName.get(`${name} (domain)`) ?? {}
    const { checkType: kind, url, domainWarnDays } = domain
    const page = byName.get(name)
    const found =
      page && checkType === 'domain' ? { ...page, checkType: kind, url, domainWarnDays } : page
    t.same(lostFields(sample, found, notes), [], name)
  }
})

t.test('channels are providers of Gatus, and come back as they were', async (t) => {
  const { channels, secretsOmitted } = sampleChannels()
  const ids = channels.map(({ id }) => id)
  const monitor = { ...sampleMonitors(1)[0]?.monitor, name: 'Shop', notifyChannelIds: ids }
  const { text, notes } = written({ channels, monitors: [monitor], secretsOmitted })
  const urls = valuesFor(text)
    .split('\n')
    .filter((line) => /URL$/.test(line))
  const mail = ['E_MAIL_OF_THE_SHOP_HOST=mail.example.org', 'E_MAIL_OF_THE_SHOP_FROM=a@example.org']
  const environment = [...urls, ...mail].join('\n')
  const again = convertFile('gatus', text, { environment })
  const back = Map.groupBy(again.document.channels ?? [], ({ type }) => type)
  const asWebhook = ['splunk-oncall', 'webex', 'feishu', 'dingtalk', 'wecom']
  for (const { type, name, config } of channels) {
    const [found] = back.get(asWebhook.includes(String(type)) ? 'webhook' : type) ?? []
    const said = notes
      .filter((note) => note.name === name)
      .map((note) => note.text)
      .join('; ')
    if (found === undefined) t.match(said, /left out: Gatus has nothing like alertmanager/)
    else if (type !== 'webhook' && !asWebhook.includes(String(type))) {
      const open = Object.entries({ ...(config as object) }).filter(
        ([field]) => !said.includes(field),
      )
      t.match(
        found.config,
        { ...Object.fromEntries(open), ...(type === 'zulip' ? { site: String } : {}) },
        name,
      )
    }
  }
  t.equal(back.get('webhook')?.length, asWebhook.length + 1)
  t.match(text, /"Zulip of the shop": Gatus wants the number of the channel/)
})

t.test('no channel gets the settings of another one of its provider', async (t) => {
  const telegram = (index: number, config: object) => ({
    ...{ id: sampleId('chn', index), name: `Chat ${index}`, type: 'telegram' },
    config: { chatId: `-100${index}`, ...config },
  })
  const channels = [telegram(0, { apiUrl: 'https://bots.example.org' }), telegram(1, {})]
  const port = { checkType: 'tcp', url: 'tcp://192.0.2.1:80', intervalSeconds: 60 }
  const notifyChannelIds = channels.map(({ id }) => id)
  const { text } = written({ channels, monitors: [{ name: 'Port', ...port, notifyChannelIds }] })
  const token = (index: number) => `\${CHAT_${index}_BOT_TOKEN}`
  t.match(parse(text), {
    alerting: { telegram: { token: token(0), id: '-1000', 'api-url': undefined } },
    endpoints: [
      {
        alerts: [
          { 'provider-override': { token: token(0), 'api-url': 'https://bots.example.org' } },
          { 'provider-override': { token: token(1), id: '-1001', 'api-url': undefined } },
        ],
      },
    ],
  })
})

t.test('a secret is a variable of the environment, and any other dollar is one', async (t) => {
  const monitor = {
    ...{
      id: sampleId('mon', 0),
      name: 'Shop "A"',
      checkType: 'endpoint',
      url: 'https://shop.example.org/$1',
    },
    ...{ method: 'POST', body: `{"price":"$5 \${HOME}"}`, username: 'ann', intervalSeconds: 60 },
    ...{ headers: {}, caCertificates: null },
  }
  const secretsOmitted = ['/monitors/0/headers/X-Api~1Key', '/monitors/0/password']
  const { text } = written({ monitors: [monitor], secretsOmitted })
  const { endpoints } = parse(text) as { endpoints: SampleItem[] }
  t.match(endpoints, [
    {
      name: "Shop 'A'",
      url: 'https://shop.example.org/$$1',
      body: '{"price":"$$5 $${HOME}"}',
      headers: {
        'X-Api/Key': `\${SHOP_A_X_API_KEY}`,
        Authorization: `Basic \${SHOP_A_BASIC}`,
      },
    },
  ])
  t.match(text, /# {3}SHOP_A_BASIC: Base64 of ann:password of "Shop "A""/)
  const [again] = convertFile('gatus', text, {
    environment: 'SHOP_A_X_API_KEY=a\nSHOP_A_BASIC=YTpi',
  }).document.monitors
  t.match(again, { url: monitor.url, body: monitor.body, headers: { Authorization: 'Basic YTpi' } })
})

t.test('no text of a member becomes a variable', async (t) => {
  const name = 'Shop \u{e000}HOME\u{e001}'
  const monitor = { name, checkType: 'endpoint', url: 'https://a.example', intervalSeconds: 60 }
  const body = '{"home":"\u{e000}HOME\u{e001}"}'
  const { text } = written({ monitors: [{ ...monitor, method: 'POST', body }], secretsOmitted: [] })
  t.notMatch(text, '$')
  t.match(text, 'Shop HOME')
})

t.test('steps are a suite with a context, and come back as steps', async (t) => {
  const steps = [
    {
      name: 'Sign in',
      method: 'POST',
      url: '/sign-in',
      headers: { Authorization: 'Bearer {{token}}' },
      body: '{"name":"{{user}}"}',
      acceptedStatuses: [],
      expectedStatus: 201,
      captures: [{ name: 'session', source: 'json', path: '$.session.id' }],
      assertions: [],
    },
    { name: 'Leave', url: 'https://id.example.org/{{session}}', method: 'GET', isCleanUp: true },
  ]
  const shop = { id: sampleId('mon', 0), name: 'Checkout', checkType: 'steps', intervalSeconds: 60 }
  const monitor = { ...shop, url: 'https://shop.example.org/app/', steps, variables: { user: '' } }
  const { text, notes } = written({
    monitors: [monitor],
    secretsOmitted: ['/monitors/0/variables/token'],
  })
  const environment = 'CHECKOUT_TOKEN=secret'
  const again = convertFile('gatus', text, { environment })
  t.match(again.document.monitors, [
    {
      checkType: 'steps',
      variables: { token: 'secret', user: '' },
      steps: [
        {
          url: 'https://shop.example.org/sign-in',
          headers: { Authorization: 'Bearer {{token}}' },
          body: '{"name":"{{user}}"}',
          captures: [{ name: 'session', source: 'json', path: '$.session.id' }],
        },
        { url: 'https://id.example.org/{{session}}', isCleanUp: true },
      ],
    },
  ])
  t.same(notes, [])
  const joined = { ...monitor, steps: [{ name: 'One', url: '/{{user}}.json' }] }
  const other = written({ monitors: [joined], secretsOmitted: [] })
  t.match(other.text, /enabled: false/)
  t.match(other.notes, [
    { name: 'Checkout', text: /switched off/ },
    { text: /placeholder \{\{user\}\}/ },
  ])
})

t.test('windows at a time of day are there, and others are named', async (t) => {
  const monitors = ['Shop', 'Blog'].map((name, index) => ({
    ...{ id: sampleId('mon', index), name, checkType: 'tcp', url: 'tcp://192.0.2.1:80' },
    ...{ intervalSeconds: 60, tags: index === 1 ? ['blog'] : [] },
  }))
  const weekly = { cron: '30 4 * * 1-3,0', durationMinutes: 90, timezone: 'Europe/Berlin' }
  const maintenance = [
    { name: 'All', monitorIds: [], tags: [], ...weekly },
    { name: 'Blog', monitorIds: [], tags: ['blog'], ...weekly, cron: '0 1 * * *' },
    { name: 'Once', monitorIds: [], tags: [], cron: null, startsAt: '2027-01-01T00:00:00Z' },
  ]
  const { text, notes } = written({ monitors, maintenance })
  t.match(parse(text), {
    maintenance: {
      start: '04:30',
      duration: '90m',
      timezone: 'Europe/Berlin',
      every: ['Sunday', 'Monday', 'Tuesday', 'Wednesday'],
    },
    endpoints: [
      { 'maintenance-windows': undefined },
      { group: 'blog', 'maintenance-windows': [{ start: '01:00', every: undefined }] },
    ],
  })
  t.match(notes, [{ name: 'Once', text: /left out/ }])
})
