// The pages of problems.
import t from 'tap'
import { toText } from '../../../src/pages/html.ts'
import { problemPage, problemsPage } from '../../../src/pages/reference/problem-pages.ts'

const paths = { css: '/a.css', script: '/a.js' }
const problem = {
  code: 'last_owner',
  status: 409,
  title: 'An organization needs an owner',
  meaning: 'This would remove the last one.',
  remedy: 'Use `PATCH` first.',
  example: { code: 'last_owner' },
}

t.test('a problem has a page: what it means, what to do, an example', async (t) => {
  const text = toText(problemPage(problem, paths))
  t.match(text, '<h1>An organization needs an owner</h1>')
  t.match(text, '409 <code>last_owner</code>')
  t.match(text, '<p>Use <code>PATCH</code> first.</p>')
  t.match(text, '&quot;code&quot;: &quot;last_owner&quot;')
  t.match(text, '<meta name="robots" content="noindex">')
})

t.test('one page lists all problems', async (t) => {
  const text = toText(problemsPage([problem, { ...problem, code: 'conflict' }], paths))
  t.match(text, 'href="/problems/last_owner"')
  t.match(text, 'href="/problems/conflict"')
})
