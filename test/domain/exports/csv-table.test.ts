// An organization as a table, which an import reads again.
import t from 'tap'
import { csvTable } from '../../../src/domain/exports/csv-table.ts'
import { convertFile } from '../../../src/services/orgs/foreign-files.ts'
import { lostFields, sampleId, sampleMonitors, writtenBy } from '../../support/outgoing-samples.ts'

t.test('what leaves as a table comes back the same, or is named', async (t) => {
  const samples = sampleMonitors(20)
  const monitors = samples.map(({ monitor }) => monitor)
  const { files, notes } = writtenBy(csvTable({ monitors }))
  const again = convertFile('csv', files[0]?.text ?? '')
  const byName = new Map(again.document.monitors.map((monitor) => [monitor.name, monitor]))
  for (const sample of samples) {
    const { name } = sample.monitor
    t.same(lostFields(sample, byName.get(name), notes), [], name)
  }
  t.notOk(
    again.notes.some(({ text }) => text.includes('column')),
    'the import knows every column',
  )
})

t.test('a row names what it does not say, and has no secrets', async (t) => {
  const monitor = {
    ...{ id: sampleId('mon', 0), name: '=Shop', checkType: 'endpoint', url: 'https://a.example/' },
    ...{ intervalSeconds: 60, username: 'ann', tags: ['a;b', 'c'] },
  }
  const secretsOmitted = ['/monitors/0/password']
  const { files, notes } = writtenBy(csvTable({ monitors: [monitor], secretsOmitted }))
  const text = files[0]?.text ?? ''
  t.match(
    text,
    /,'=Shop,http,https:\/\/a\.example\/,GET,200,/,
    'no spreadsheet takes it for a formula',
  )
  t.match(text, /not in it: username/)
  t.match(notes, [{ text: /fall apart/ }, { text: 'paused until it has its password' }, {}])
  t.match(convertFile('csv', text).document.monitors, [{ name: '=Shop', isActive: false }])
})
