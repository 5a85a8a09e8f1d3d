// Where steps lead, and what they name: test/services/monitors/monitor-steps.test.ts has what callers read.
import t from 'tap'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { literalOrigin, originsOf, secretNamesIn } from '../../../src/domain/steps/step-rules.ts'

t.test('the server of a step is the one that is written out', (t) => {
  t.equal(literalOrigin('https://A.test:443/x{{a}}'), 'https://a.test')
  t.equal(literalOrigin('http://a.test:81?{{a}}'), 'http://a.test:81')
  for (const open of [
    '/x',
    '',
    '{{a}}',
    'https://{{a}}/',
    'https://a{{b}}.test/',
    'x',
    'ftp://a/',
  ]) {
    t.equal(literalOrigin(open), undefined, open)
  }
  t.equal(literalOrigin('https://a.test\\@evil.test/'), undefined)
  const steps = [{ url: '/a' }, { url: 'https://b.test/{{x}}' }, { url: '{{x}}' }]
  t.same(originsOf('https://a.test/x', steps), ['https://a.test', 'https://b.test'])
  t.end()
})

t.test('the secrets of the organization that steps name are known', (t) => {
  const assertions = [
    { source: 'body', type: 'contains', path: null, value: '{{secret.C}}' },
  ] as const
  const fields = { name: 'A', url: '/{{secret.A}}', headers: { 'X-B': '{{secret.B|base64}}' } }
  const step = completedStep({ ...fields, body: '{{x}} {{secret.A}}', assertions })
  t.same(secretNamesIn([step]), ['A', 'B', 'C'])
  t.end()
})
