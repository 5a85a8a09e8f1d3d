// The router: what is answered beside the routes themselves.
import t from 'tap'
import { orgA, startTestHttp } from '../../support/http.ts'
import { noteId, notesApi, rawNotes } from '../../support/http-routes.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const http = await startTestHttp({ routes: notesApi(world), rawRoutes: rawNotes })
t.teardown(() => http.stop())
const notes = `/api/v1/orgs/${orgA}/notes`

t.test('HEAD, OPTIONS, wrong methods and unknown addresses answer by the table', async (t) => {
  const head = await http.ask(`${notes}/${noteId}`, { method: 'HEAD', as: 'bob' })
  t.equal(head.status, 200)
  t.equal(head.text, '')
  t.ok(Number(head.headers.get('content-length')) > 20)
  const options = await http.ask(notes, { method: 'OPTIONS' })
  t.equal(options.status, 204)
  t.equal(options.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  t.equal(options.headers.get('access-control-allow-origin'), null)
  const wrong = await http.ask(notes, { method: 'DELETE', as: 'alice' })
  t.equal(wrong.status, 405)
  t.equal(wrong.json.code, 'method_not_allowed')
  t.equal(wrong.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  t.equal((await http.ask('/api/v1/nothing')).json.code, 'not_found')
  t.match((await http.ask('/nothing')).text, /<h1>Not found/)
  t.equal((await http.ask('/page', { method: 'POST' })).status, 405)
})
