// Templates: which placeholders there are, and how their values are written.
import t from 'tap'
import {
  filledIn,
  placeholdersIn,
  rendered,
  templateProblem,
} from '../../../src/domain/steps/template.ts'

const values: Readonly<Record<string, string>> = { a: 'x "y"/&', KEY: 'pa$$', uuid: 'u-1' }

t.test('a value is written as it is, or as its filter says', (t) => {
  const text = (template: string) => rendered(template, ({ name }) => values[name] ?? '?')
  t.equal(text('{{a}} {{ secret.KEY }} {{$uuid}}'), 'x "y"/& pa$$ u-1')
  t.equal(text('?q={{a|url}}'), '?q=x%20%22y%22%2F%26')
  t.equal(text('{"q": "{{ a | json }}"}'), '{"q": "x \\"y\\"/&"}')
  t.equal(text('Basic {{secret.KEY|base64}}'), 'Basic cGEkJA==')
  t.equal(text('{"a":{"b":{}}} {{a'), '{"a":{"b":{}}} {{a', 'braces that name nothing stay')
  t.end()
})

t.test('what looks like a placeholder and is none is told, with the forms', (t) => {
  for (const wrong of ['{{a b}}', '{{}}', '{{a|hex}}', '{{$now}}', '{{secret}}x{{secret.a-b}}']) {
    t.match(templateProblem(wrong), /^has \{\{.*\}\}, which is no placeholder: they are /, wrong)
  }
  t.match(templateProblem('{{a|url|json}}'), /is no placeholder/)
  for (const right of ['', 'a', '{{a}}', '{{ secret.A_1 |url}}', '{{$timestamp}}', '{ {a} }']) {
    t.equal(templateProblem(right), null, right)
  }
  t.same(
    placeholdersIn('{{a}}{{secret.a}}').map(({ kind }) => kind),
    ['variable', 'secret'],
  )
  t.equal(filledIn('/x/{{a}}/{{b}}', '1'), '/x/1/1')
  t.end()
})
