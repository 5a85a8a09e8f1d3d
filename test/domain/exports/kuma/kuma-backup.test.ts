// An organization as a backup of Uptime Kuma.
import t from 'tap'
import { kumaBackup } from '../../../../src/domain/exports/kuma/kuma-backup.ts'
import { convertFile } from '../../../../src/services/orgs/foreign-files.ts'
import {
  lostFields,
  type SampleItem,
  sampleChannels,
  sampleId,
  sampleMonitors,
  writtenBy,
} from '../../../support/outgoing-samples.ts'

interface Backup {
  readonly version: string
  readonly notificationList: readonly { readonly name: string; readonly config: string }[]
  readonly monitorList: readonly SampleItem[]
}

function written(document: object) {
  const { files, notes } = writtenBy(kumaBackup(document))
  const text = files[0]?.text ?? ''
  return { text, notes, backup: JSON.parse(text) as Backup }
}

t.test('what leaves for Kuma comes back the same, or is named', async (t) => {
  const samples = sampleMonitors(20)
  const { text, notes } = written({ monitors: samples.map(({ monitor }) => monitor) })
  const again = convertFile('kuma', text)
  const byName = new Map(again.document.monitors.map((monitor) => [monitor.name, monitor]))
  for (const sample of samples) {
    const { name } = sample.monitor
    t.same(lostFields(sample, byName.get(name), [...notes, ...again.notes]), [], name)
  }
})

t.test('channels are notifications, and with their secrets come back as they were', async (t) => {
  const { channels, secretsOmitted } = sampleChannels()
  const ids = channels.map(({ id }) => id)
  const shop = { ...sampleMonitors(1)[0]?.monitor, name: 'Shop', notifyChannelIds: ids }
  const { backup, notes } = written({ channels, monitors: [shop], secretsOmitted })
  const secret = (name: string) =>
    /key$|topic/i.test(name) ? 'abcdefghijklmnopqrstuvwxyz1234' : 'https://hooks.example.org/abc'
  const entered = backup.notificationList.map((one) => {
    const fields = Object.entries(JSON.parse(one.config) as Record<string, unknown>)
    const filled = fields.map(([name, value]) => [name, value === '' ? secret(name) : value])
    return { ...one, config: JSON.stringify(Object.fromEntries(filled)) }
  })
  const again = convertFile('kuma', JSON.stringify({ ...backup, notificationList: entered }))
  const back = new Map(
    (again.document.channels ?? []).map((channel) => [channel.name, channel.type]),
  )
  const refused = new Set(
    again.notes.filter(({ text }) => /config\./.test(text)).map(({ name }) => name),
  )
  for (const { type, name } of channels) {
    const said = notes
      .filter((note) => note.name === name)
      .map((note) => note.text)
      .join('; ')
    const isThere = back.get(name) === type || refused.has(name)
    if (!isThere) t.match(said, /left out/, name)
    if (
      isThere &&
      secretsOmitted.some((pointer) =>
        pointer.startsWith(`/channels/${ids.indexOf(sampleId('chn', 0))}/`),
      )
    ) {
      t.match(said, /enter there|own/, name)
    }
  }
  t.notMatch(JSON.stringify(backup), /hooks\.slack\.com/)
})

t.test('members have their group as parent, and everything its number', async (t) => {
  const port = { checkType: 'tcp', url: 'tcp://192.0.2.1:80', intervalSeconds: 60 }
  const [inner, outer, single] = [0, 1, 2].map((index) => sampleId('mon', index))
  const monitors = [
    { id: inner, name: 'Port', ...port, tags: ['team: shop', 'eu'] },
    { id: outer, name: 'Group', checkType: 'group', memberIds: [inner] },
    {
      id: single,
      name: 'Key',
      checkType: 'endpoint',
      url: 'https://a.example',
      intervalSeconds: 10,
    },
  ]
  const channels = [
    {
      id: sampleId('chn', 0),
      name: 'Hook',
      type: 'webhook',
      isDefault: true,
      config: { url: 'https://h.example' },
    },
  ]
  const secretsOmitted = ['/monitors/2/headers/X-Key']
  const tagColors = [{ tag: 'eu', color: '#dc2626' }]
  const { backup, notes } = written({ channels, monitors, secretsOmitted, tagColors })
  t.match(backup, {
    version: '1.23.17',
    notificationList: [{ id: 1, name: 'Hook' }],
    monitorList: [
      {
        id: 1,
        parent: 2,
        type: 'port',
        hostname: '192.0.2.1',
        port: 80,
        active: 1,
        tags: [
          { name: 'team', value: 'shop', color: '#4B5563' },
          { name: 'eu', value: '', color: '#dc2626' },
        ],
        notificationIDList: { 1: true },
      },
      { id: 2, type: 'group', active: 1 },
      { id: 3, interval: 20, active: 0 },
    ],
  })
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /Key: switched off until it has: headers\/X-Key/)
  t.match(lines, /Port: the import of Kuma 1.23 passes over: parent/)
})
