// Labels of targets change as in Prometheus, whatever the rules are.
import t from 'tap'
import { relabelling } from '../../../../src/domain/imports/blackbox/relabel.ts'

const labels = new Map([
  ['__address__', 'a.example:80'],
  ['__meta_zone', 'EU'],
  ['job', 'web'],
])
const left = (...rules: object[]) => {
  const found = relabelling(rules).of(labels)
  return found && Object.fromEntries(found)
}

t.test('a label becomes what the rule says', async (t) => {
  t.match(left({ source_labels: ['__address__'], target_label: '__param_target' }), {
    __param_target: 'a.example:80',
  })
  const host = { source_labels: ['__address__'], regex: '([^:]+)(?::\\d+)?' }
  t.match(left({ ...host, target_label: 'x', replacement: 'https://$1/' }), {
    x: 'https://a.example/',
  })
  t.match(left({ ...host, target_label: '$1_y', replacement: '${1}' }), {
    'a.example_y': 'a.example',
  })
  const two = { source_labels: ['job', '__meta_zone'], separator: '-' }
  t.match(left({ ...two, target_label: 'x', action: 'lowercase' }), { x: 'web-eu' })
  t.match(left({ ...two, target_label: 'x', action: 'uppercase' }), { x: 'WEB-EU' })
  t.notMatch(left({ ...two, regex: 'none', target_label: 'x' }), { x: /./ }, 'no match, no change')
  t.notOk('job' in (left({ target_label: 'job', replacement: '' }) ?? {}), 'an empty one is none')
})

t.test('targets and labels are kept and dropped', async (t) => {
  const job = { source_labels: ['job'] }
  t.ok(left({ ...job, regex: 'we.', action: 'keep' }))
  t.notOk(left({ ...job, regex: 'w', action: 'keep' }), 'the whole of it must match')
  t.notOk(left({ ...job, regex: 'web', action: 'drop' }))
  t.notOk(left({ ...job, target_label: 'job', action: 'dropequal' }))
  t.ok(left({ ...job, target_label: 'job', action: 'keepequal' }))
  t.same(left({ regex: '__.*', action: 'labeldrop' }), { job: 'web' })
  t.same(left({ regex: 'job', action: 'labelkeep' }), { job: 'web' })
  t.match(left({ regex: '__meta_(.*)', action: 'labelmap' }), { zone: 'EU' })
})

t.test('rules that are none are told, and the others apply', async (t) => {
  const { problems, of } = relabelling([
    { action: 'explode' },
    { regex: '(', target_label: 'x' },
    { target_label: 'y', replacement: '1' },
  ])
  t.match(problems, [/the action explode/, /expression is not a valid RE2 expression/])
  t.equal(of(labels)?.get('y'), '1')
})

t.test('rules that double what they read come to an end', async (t) => {
  const twice = { source_labels: ['x'], target_label: 'x', replacement: '$1$1' }
  const first = { target_label: 'x', replacement: 'ab' }
  const grown = left(first, ...Array.from({ length: 100 }, () => twice))
  t.equal(String(grown?.x).length, 4_096)
  const maps = Array.from({ length: 20 }, (_, at) => ({
    ...{ action: 'labelmap', regex: '(.*)', replacement: `$1_${at}` },
  }))
  t.throws(() => left(...maps), { message: /more than 500 labels/ })
  const work = { chars: 7_990_000 }
  const { of } = relabelling([first, ...Array.from({ length: 150 }, () => twice)], work)
  t.throws(
    () => {
      for (let target = 0; target < 100; target += 1) of(labels)
    },
    { message: /takes too long to relabel/ },
  )
})
