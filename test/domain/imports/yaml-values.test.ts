// YAML as the product that wrote it reads it, and what is refused before it takes time or memory.
import t from 'tap'
import { foreignDepthMax } from '../../../src/domain/imports/value-count.ts'
import { yamlValues } from '../../../src/domain/imports/yaml-values.ts'

const lines = (...all: readonly string[]) => all.join('\n')
const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

t.test('aliases and merge keys mean what they stand for, and a key of its own comes first', (t) => {
  const text = lines(
    'base: &base {interval: 60s, headers: {A: b}}',
    'slow: &slow {interval: 5m, group: core}',
    'one: {<<: *base, interval: 30s}',
    'two: {<<: [*slow, *base]}',
    'three: {<<: *base, <<: *slow}',
    'four: &base again',
    'five: [*base, *slow]',
    '"<<": a key like any other',
  )
  t.same(yamlValues(text), {
    base: { interval: '60s', headers: { A: 'b' } },
    slow: { interval: '5m', group: 'core' },
    one: { interval: '30s', headers: { A: 'b' } },
    two: { interval: '5m', group: 'core', headers: { A: 'b' } },
    three: { interval: '60s', headers: { A: 'b' }, group: 'core' },
    four: 'again',
    five: ['again', { interval: '5m', group: 'core' }],
    '<<': 'a key like any other',
  })
  t.end()
})

t.test('every kind of value is read, also of YAML 1.1', (t) => {
  t.same(yamlValues('a: 1\nb: true\nc: ~\nd:\ne: "1"\n7: x\n? f\n: g'), {
    a: 1,
    b: true,
    c: null,
    d: null,
    e: '1',
    7: 'x',
    f: 'g',
  })
  const old = lines(
    '%YAML 1.1',
    '---',
    'a: yes',
    'b: 2026-01-01',
    'c: !!set {x, y}',
    'd: !!omap [e: 1]',
    'f: &f {g: 1}',
    'h: {<<: *f}',
  )
  t.match(yamlValues(old), {
    a: true,
    b: /2026/,
    c: { x: null, y: null },
    d: [{ e: 1 }],
    h: { g: 1 },
  })
  const proto = yamlValues('__proto__: {polluted: 1}') as object
  t.same(Object.keys(proto), ['__proto__'], 'a name is a name')
  t.equal(Reflect.get({}, 'polluted'), undefined)
  t.equal(yamlValues(''), null)
  t.end()
})

t.test('an error of YAML is told with its place', (t) => {
  const refused = (text: string, message: RegExp) =>
    t.throws(() => yamlValues(text), { name: 'ForeignFileRefused', message })
  refused('a: 1\nb: [}', /^is not YAML: line 2, column \d+: /)
  refused('a: *b', /^(is not YAML: .*|has an alias of nothing: \*b)/)
  refused('a: &a [*a]', /^has an alias of what it is part of: \*a$/)
  refused('? [a]\n: b', /^must have texts as keys$/)
  refused('a: {<<: 1}', /^merges something that is no map/)
  t.end()
})

t.test('what aliases repeat counts each time, before anything is made of it', (t) => {
  const refused = (text: string, message: RegExp) =>
    t.throws(() => yamlValues(text), { name: 'ForeignFileRefused', message })
  refused(`a: &a x\nb: [${'*a,'.repeat(20_000)}]`, /^has aliases for 20000 values: at most 10000/)
  const chain = many(3_000, (at) => `a${at + 1}: &a${at + 1} {<<: *a${at}, k${at}: 1}`)
  refused(`a0: &a0 {x: 1}\n${chain}`, /^must have at most 1000000 values, with what each alias/)
  const long = `a: &a ${'x'.repeat(60_000)}\nb:\n${many(300, () => ' - *a')}`
  refused(long, /^must have at most 16777216 characters, with what each alias/)
  t.end()
})

t.test('a file that names what its endpoints have in common is read', (t) => {
  const endpoints = many(1_500, (at) => ` - {<<: *usual, name: site ${at}, url: 'http://x/'}`)
  const text = `usual: &usual {interval: 60s, group: core, alerts: [{type: slack}]}\nendpoints:\n${endpoints}`
  t.match(yamlValues(text), { endpoints: { length: 1_500 } })
  t.end()
})

t.test('nesting has a bound', (t) => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  t.ok(yamlValues(nested(foreignDepthMax)))
  t.throws(() => yamlValues(nested(foreignDepthMax + 1)), {
    message: /nested too deeply: at most 64 levels/,
  })
  t.throws(() => yamlValues('['.repeat(50_000)), { message: /^is nested too deeply$/ })
  t.end()
})
