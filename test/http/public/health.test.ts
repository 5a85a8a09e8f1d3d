// What machines ask the service about itself.
import t from 'tap'
import { startTestHttp } from '../../support/http.ts'

t.test('alive from the start, ready when it is', async (t) => {
  let isReady = false
  const http = await startTestHttp({ isReady: () => isReady })
  t.teardown(() => http.stop())
  t.equal((await http.ask('/healthz')).status, 200)
  t.equal((await http.ask('/readyz')).status, 503)
  isReady = true
  t.equal((await http.ask('/readyz')).status, 200)
  t.equal((await http.ask('/readyz', { method: 'HEAD' })).status, 200)
})
