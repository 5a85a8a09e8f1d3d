// The text of metrics: what Prometheus reads is what was written, whatever names have in them.
import t from 'tap'
import { createGaugeLines, labelOf } from '../../../src/base/formats/exposition.ts'

const textOf = (gauge: ReturnType<typeof createGaugeLines>) =>
  Buffer.concat(gauge.bytes()).toString()
const labels = (name: string, value: string) => Buffer.from(labelOf(name, value))

t.test('a gauge says what it is, and has a line for each of its values', async (t) => {
  const gauge = createGaugeLines({ name: 'sky_height_meters', help: 'How high it is.' })
  const head = '# HELP sky_height_meters How high it is.\n# TYPE sky_height_meters gauge\n'
  t.equal(textOf(gauge), '', 'it is not named before it has a value')
  gauge.add(0.25, labels('at', 'noon'))
  gauge.add(1e21, labels('at', 'night'), Buffer.from(','), labels('seen', 'no'))
  t.equal(
    textOf(gauge),
    `${head}sky_height_meters{at="noon"} 0.25\nsky_height_meters{at="night",seen="no"} 1e+21\n`,
  )
})

t.test('quotes, backslashes and line breaks in a name end no label', async (t) => {
  t.equal(labelOf('name', 'a "b" \\ c\nd'), String.raw`name="a \"b\" \\ c\nd"`)
  t.equal(labelOf('name', String.raw`\n"} 1`), String.raw`name="\\n\"} 1"`)
})

t.test('letters of every alphabet stay, in lines of any length and number', async (t) => {
  const gauge = createGaugeLines({ name: 'many', help: 'Many.' })
  const names = ['Zürich', '東京', 'مراقبة', '🚦', 'x'.repeat(300_000)]
  const all = Array.from({ length: 20_000 }, (_, number) => `${names[number % 4]} ${number}`)
  for (const [number, name] of [...all, names[4] ?? ''].entries()) {
    gauge.add(number, labels('name', name))
  }
  const lines = textOf(gauge).trimEnd().split('\n').slice(2)
  t.equal(lines.length, all.length + 1)
  t.equal(lines[1], 'many{name="東京 1"} 1')
  t.equal(lines[19_999], `many{name="${all[19_999]}"} 19999`)
  t.equal(lines.at(-1)?.length, 300_000 + 'many{name=""} 20000'.length)
})
