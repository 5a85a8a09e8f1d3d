// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the names of the environment are written so
// What a configuration becomes whose variables have no value.
import t from 'tap'
import { convertFile } from '../../../../src/services/orgs/foreign-files.ts'

const config = `
alerting:
  slack: {webhook-url: "\${SLACK}"}
  telegram: {token: "\${TELEGRAM}", id: "\${CHAT}"}
  custom:
    url: https://hooks.example.com/\${PATH_OF}
    method: POST
    headers: {Authorization: "Bearer \${TOKEN}", X-Team: shop}
endpoints:
  - {name: a, url: "https://\${HOST}/x", conditions: ["[STATUS] == 200"], headers: {X: "\${KEY}", Y: z}, alerts: [{type: slack}, {type: telegram}]}
  - {name: b, url: "tcp://b.test:\${PORT}", conditions: ["[CONNECTED] == true"]}
  - {name: c, url: "https://c.test/", body: "\${BODY} $$5", conditions: ["[STATUS] == 200"]}
  - {name: d, url: "\${ALL}", conditions: ["[STATUS] == 200"]}
`

t.test('secrets are asked for, and what has no value waits', async (t) => {
  const { document, notes } = convertFile('gatus', config)
  const { channels = [], monitors, secretsOmitted, statusPages = [] } = document
  t.match(channels, [
    { type: 'slack', isActive: false, config: {} },
    // The import says that it is no chat.
    { type: 'telegram', isActive: false, config: { chatId: '${CHAT}' } },
    {
      type: 'webhook',
      isActive: false,
      config: { url: 'https://hooks.example.com/${PATH_OF}', headers: { 'X-Team': 'shop' } },
    },
  ])
  t.match(monitors, [
    { name: 'a', url: 'https://host.invalid/x', headers: { Y: 'z' }, isActive: false },
    { name: 'c', body: '${BODY} $5', isActive: false },
  ])
  t.equal(monitors.length, 2, 'what has no address is left out')
  t.same(monitors[0]?.notifyChannelIds, [channels[0]?.id, channels[1]?.id])
  t.same(secretsOmitted, [
    '/channels/0/config/webhookUrl',
    '/channels/1/config/botToken',
    '/channels/2/config/headers/Authorization',
    '/monitors/0/headers/X',
  ])
  t.same(
    statusPages[0]?.publicMonitorIds,
    monitors.map(({ id }) => id),
  )
  const lines = notes.map(({ name, text }) => `${name}: ${text}`)
  for (const line of [
    'slack (not told what is over): it waits for the value of SLACK',
    'a: it waits for the value of HOST, KEY',
    'b: it was left out: its address tcp://b.test:${PORT} needs a value',
    'd: ${ALL} has no equivalent: the endpoint was left out',
    'telegram (not told what is over): it waits for the value of TELEGRAM',
  ]) {
    t.ok(
      lines.some((one) => one.startsWith(line.slice(0, 60))),
      line,
    )
  }
  t.match(lines.join('\n'), /variables without a value: .*SLACK.*PORT.*--env/)
  t.notMatch(JSON.stringify([document, notes]), /[\u{e000}\u{e001}]/u)
})

t.test('with the file of its service, everything has its value', async (t) => {
  const environment =
    'SLACK=https://hooks.example.com/s\nTELEGRAM=1:a\nCHAT=-7\nPATH_OF=p\nTOKEN=t\nHOST=a.test\n' +
    'KEY="k: {x}"\nPORT=5\nBODY=b\nALL=icmp://d.test'
  const { document, notes } = convertFile('gatus', config, { environment, installation: 'shop' })
  t.same(document.source, { product: 'gatus', installation: 'shop' })
  t.match(document.channels, [
    { config: { webhookUrl: 'https://hooks.example.com/s' }, isActive: true },
    { config: { botToken: '1:a', chatId: '-7' } },
    { config: { headers: { Authorization: 'Bearer t' } } },
  ])
  t.match(document.monitors, [
    { url: 'https://a.test/x', headers: { X: 'k: {x}' }, isActive: true },
    { url: 'tcp://b.test:5' },
    { body: 'b $5' },
    { url: 'ping://d.test' },
  ])
  t.equal(document.secretsOmitted, undefined)
  t.same(notes, [])
})

t.test('the files of a folder are one configuration', async (t) => {
  const endpoint = (name: string, url: string) =>
    `endpoints:\n  - {name: ${name}, url: "${url}", conditions: ["[STATUS] == 200"]}`
  const about = {
    name: 'a.yaml',
    more: [
      { name: 'b/b.yaml', text: endpoint('b', 'https://${B}/') },
      { name: 'compose.yaml', text: 'services: {gatus: {image: twinproduction/gatus}}' },
      { name: 'empty.yaml', text: '# nothing yet' },
    ],
    environment: 'B=b.test',
  }
  const { document, notes } = convertFile('gatus', endpoint('a', 'https://a.test/'), about)
  t.match(document.monitors, [{ url: 'https://a.test/' }, { url: 'https://b.test/' }])
  t.same(notes, [{ name: 'compose.yaml', text: 'has nothing that Gatus reads: left out' }])
  const broken = { more: [{ name: 'c.yaml', text: 'a: [' }] }
  t.throws(() => convertFile('gatus', endpoint('a', 'https://a.test/'), broken), {
    message: /^has c.yaml, which is not YAML: line 1/,
  })
})
