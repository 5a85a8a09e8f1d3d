// The conditions of Uptime Kuma 2 become assertions, unless they are alternatives.
import t from 'tap'
import { fromKuma } from '../../../../src/domain/imports/kuma/kuma.ts'

const expression = (variable: string, operator: string, value: string, andOr = 'and') => {
  return { type: 'expression', variable, operator, value, andOr }
}

const dnsWith = (conditions: unknown, dns_resolve_type = 'A') => {
  const base = { type: 'dns', name: 'Zone', hostname: 'example.com', dns_resolve_server: '9.9.9.9' }
  const { monitors, notes } = fromKuma([{ ...base, dns_resolve_type, conditions }])
  return { assertions: monitors[0]?.assertions, said: notes.map(({ text }) => text).join('\n') }
}

t.test('conditions on records and results are kept', (t) => {
  const one = expression('record', 'equals', '192.0.2.1')
  t.same(dnsWith(JSON.stringify([one])), {
    assertions: [{ source: 'json', path: '$.records[*]', type: 'equals', value: '192.0.2.1' }],
    said: '',
  })
  const group = { type: 'group', children: [expression('record', 'ends_with', '.net')] }
  t.match(dnsWith([expression('record', 'starts_with', 'mx.'), group], 'MX').assertions, [
    { path: '$.records[*].exchange', type: 'regex', value: '^mx\\.' },
    { path: '$.records[*].exchange', type: 'regex', value: '\\.net$' },
  ])
  const database = {
    ...{ type: 'postgres', name: 'Shop', databaseQuery: 'SELECT 1' },
    databaseConnectionString: 'postgres://ann:pass@db.example.com/shop',
    conditions: [expression('result', 'num_equals', '1'), expression('result', 'lt', '5')],
  }
  t.match(fromKuma([database]).monitors[0]?.assertions, [
    { source: 'json', path: '$.value', type: 'equals', value: '1' },
    { source: 'json', path: '$.value', type: 'lessThan', value: '5' },
  ])
  t.end()
})

t.test('alternatives and what is no condition are named', (t) => {
  const one = expression('record', 'equals', 'a')
  const either = dnsWith([one, { ...one, andOr: 'or' }])
  t.match(either, { assertions: undefined, said: /its conditions: some are alternatives/ })
  t.match(dnsWith('[').said, /its conditions/)
  t.match(dnsWith([expression('record', 'lt', 'x')]).said, /its condition record lt x: add/)
  t.match(dnsWith([expression('record', 'like', 'x')]).said, /its condition record like x: add/)
  let deep: unknown = [one]
  for (let depth = 0; depth < 50; depth += 1) deep = [{ type: 'group', children: deep }]
  t.match(dnsWith(deep).said, /its conditions/)
  t.same(dnsWith([]), { assertions: undefined, said: '' })
  t.end()
})
