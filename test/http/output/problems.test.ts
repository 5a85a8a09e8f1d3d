// Problems: what a caller is told about a failure, and what stays inside.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { asFault, problemPage, problemReply } from '../../../src/http/output/problems.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { startTestHttp } from '../../support/http.ts'
import { notesApi } from '../../support/http-routes.ts'

const place = { path: '/api/v1/x', requestId: 'req_1', lines: '\r\nX-Request-Id: req_1' }

t.test('an unexpected error answers 500, reveals nothing and is logged', async (t) => {
  const http = await startTestHttp({ routes: notesApi({ made: 0, aborted: 0, release() {} }) })
  t.teardown(() => http.stop())
  for (const path of ['/api/v1/misc/throw-now', '/api/v1/misc/throw-later']) {
    const { status, json, text } = await http.ask(path)
    t.equal(status, 500)
    t.equal(json.code, 'internal')
    t.notMatch(text, /inside|Error/)
    const entry = http.logged.at(-1)
    t.equal(entry?.fields.requestId, json.requestId)
    t.match(String(entry?.fields.stack), /inside knowledge/)
  }
})

t.test('a problem document has the reason, the place and the request', async (t) => {
  const { status, head, body } = problemReply(new Fault('not_found', 'No such <thing>'), place)
  t.equal(status, 404)
  t.match(head, /^application\/problem\+json\r\n[\s\S]*\r\nX-Request-Id: req_1$/)
  t.match(JSON.parse(String(body)), {
    success: false,
    code: 'not_found',
    detail: 'No such <thing>',
    instance: '/api/v1/x',
    requestId: 'req_1',
  })
})

t.test(
  'a page for people says what is wrong and leads on, and nothing of the inside',
  async (t) => {
    const { status, head, body } = problemPage(asFault(new Error('inside')), place, 'en')
    t.equal(status, 500)
    t.match(head, /^text\/html/)
    t.match(String(body), /<h1>.+<\/h1>\n<p dir="auto">Something went wrong here<\/p>/)
    t.match(String(body), 'href="/"')
    t.notMatch(String(body), /inside/)
    t.match(problemPage(new Fault('unauthenticated'), place, 'en').body, 'href="/sign-in"')
    const foreign = String(problemPage(new Fault('csrf_rejected'), place, 'en').body)
    t.notMatch(foreign, 'sign-in', 'it may be at the host of a status page, which has none')
  },
)

t.test('a page for people says what is wrong with each field, in their language', async (t) => {
  const errors = [
    { pointer: '/password', keyword: 'minLength', message: 'must have at least 12 characters' },
    { pointer: '/email', keyword: 'required', message: 'is required' },
    { pointer: '/name', keyword: 'pattern', message: 'must not be blank' },
  ]
  const fault = new Fault('validation_failed', 'password must have at least 12', { errors })
  const saidIn = (language: Language) =>
    [...String(problemPage(fault, place, language).body).matchAll(/<p dir="auto">(.+)<\/p>/g)].map(
      ([, said]) => said,
    )
  t.same(saidIn('en'), [
    'Password: must have at least 12 characters',
    'E-mail address: is required',
    'name: must not be blank',
  ])
  t.same(saidIn('de'), [
    'Passwort: Mindestens 12 Zeichen',
    'E-Mail-Adresse: Wird gebraucht',
    'name: Darf nicht leer sein',
  ])
  t.match(saidIn('zh')[1], /：必填$/)
})

t.test('401 names the scheme, 503 says when to retry, 413 ends the connection', async (t) => {
  t.match(problemReply(new Fault('unauthenticated'), place).head, 'WWW-Authenticate: Bearer')
  t.match(problemReply(new Fault('unavailable'), place).head, /\r\nRetry-After: \d+/)
  t.equal(problemReply(new Fault('body_too_large'), place).closes, true)
})
