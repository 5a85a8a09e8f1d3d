// What every file of another product has in common: its size is looked at before anything in it.
import t from 'tap'
import {
  createNotes,
  installationOf,
  isSameInstallation,
  itemsOf,
} from '../../../src/domain/imports/foreign.ts'
import { fromKuma } from '../../../src/domain/imports/kuma/kuma.ts'
import { countValues, foreignValuesMax } from '../../../src/domain/imports/value-count.ts'
import { limits } from '../../../src/domain/limits/limits.ts'

const refusal = (message: RegExp) => ({ name: 'ForeignFileRefused', message })

t.test('a list that an import would not take is refused before its items are read', async (t) => {
  const most = limits.importMonitorsMax
  let reads = 0
  const item = new Proxy({}, { get: () => (reads += 1) })
  const list = Array.from({ length: most + 1 }, () => item)
  t.throws(() => fromKuma(list), refusal(/^must have at most 10000 monitors, and has 10001$/))
  t.equal(reads, 0)
  t.equal(itemsOf(list.slice(1), 'monitors').length, most)
})

t.test('what is left out is listed up to a bound, and the rest of it is counted', async (t) => {
  const notes = createNotes()
  const note = notes.of('a')
  for (let left = limits.importNotesMax + 7; left > 0; left -= 1) note('x'.repeat(5_000))
  const all = notes.all()
  t.equal(all.length, limits.importNotesMax + 1)
  t.equal(all[0]?.text.length, limits.importNoteCharsMax)
  t.same(all.at(-1), { name: null, text: '7 more notes, which are not listed' })
})

t.test('a text that many monitors refer to is cut before it is repeated', async (t) => {
  const group = { id: 1, type: 'group', name: `core${' '.repeat(900_000)}x` }
  const site = { type: 'http', url: 'http://127.0.0.1/', parent: 1 }
  const { monitors } = fromKuma([group, ...Array.from({ length: 2_000 }, () => site)])
  const tags = monitors[1]?.tags
  t.match(tags, [/^core/])
  t.ok(JSON.stringify(tags).length < 2 * limits.tagCharsMax)
})

t.test('the values of a document are counted, and how deep they nest', async (t) => {
  countValues({ a: [1, 'b', null, { c: true }] })
  const deep = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
  t.throws(() => countValues(deep), refusal(/^is nested too deeply: at most 64 levels$/))
  const wide = new Array(foreignValuesMax).fill(0)
  t.throws(() => countValues(wide), refusal(/^must have at most 1000000 values$/))
})

t.test('an installation is the same as long as one of its marks stays', (t) => {
  const mark = (letter: string) => letter.repeat(32)
  const of = (...marks: string[]) => ({ product: 'kuma', installation: installationOf(marks) })
  const first = of(mark('a'), mark('b'), mark('c'))
  t.ok(isSameInstallation(first, first))
  t.ok(isSameInstallation(first, of(mark('d'), mark('b'))), 'its password was reset')
  t.notOk(isSameInstallation(first, of(mark('d'), mark('e'))))
  t.notOk(isSameInstallation(first, { ...first, product: 'gatus' }))
  const named = (installation: string) => ({ product: 'gatus', installation })
  t.notOk(isSameInstallation(named('home+office'), named('office+home')), 'names have no marks')
  t.end()
})
