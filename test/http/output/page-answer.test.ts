// Answers for people: pages that nobody keeps or frames, and the way to the next page.
import t from 'tap'
import { pageAnswer, seeOther } from '../../../src/http/output/page-answer.ts'
import { html } from '../../../src/pages/html.ts'

t.test('a page is never cached, and tells no other site its path', async (t) => {
  const page = pageAnswer(410, html`<p>${'<gone>'}</p>`, { headers: [['Retry-After', '5']] })
  const headers = new Map(page.headers)
  t.match(page, { plain: true, status: 410, body: '<p>&lt;gone&gt;</p>' })
  t.equal(headers.get('Cache-Control'), 'no-store')
  // With no-referrer, a form's Origin would be null over plain http.
  t.equal(headers.get('Referrer-Policy'), 'strict-origin')
  t.match(headers.get('Content-Security-Policy'), "default-src 'none'")
  t.equal(headers.get('Retry-After'), '5')
  t.equal(headers.has('WWW-Authenticate'), false)
  t.ok(new Map(pageAnswer(401, html``).headers).has('WWW-Authenticate'))
})

t.test('a browser is sent on with a GET', async (t) => {
  const answer = seeOther('https://up.example/a', [['Set-Cookie', 'a=b']])
  t.match(answer, { status: 303, body: '' })
  t.same(answer.headers, [
    ['Location', 'https://up.example/a'],
    ['Set-Cookie', 'a=b'],
  ])
})
