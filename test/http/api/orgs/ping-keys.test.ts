// Ping keys over the API: administrators see that there are some, and no whole one.
import t from 'tap'
import type { ImportId } from '../../../../src/base/ids.ts'
import { pingKeys } from '../../../../src/http/api/orgs/ping-keys.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'

const key = 'fqOOd6-F4MMNuCEnzTU01w'
const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId

t.test('administrators list ping keys by their first characters, and remove them', async (t) => {
  const { store, clock, done, pingKeys: service } = startMonitorServices(t)
  await done(store.write((tx) => service.keep(tx, { orgId: orgA, importId }, [key])))
  const routes = atPrefix('/api/v1', pingKeys)
  const server = await startTestHttp({ routes, services: { pingKeys: service }, clock })
  t.teardown(() => server.stop())
  const path = `/api/v1/orgs/${orgA}/ping-keys`
  const ask = (who: string, rest = '', method = 'GET') =>
    done(server.ask(path + rest, { method, headers: { 'x-api-key': `key-${who}` } }))
  t.equal((await ask('member')).status, 403)
  const { status, json } = await ask('admin')
  t.equal(status, 200)
  const [shown] = json.data.pingKeys
  t.match(shown, { hint: 'fqOO', createdAt: new Date(clock.nowMs()).toISOString() })
  t.notMatch(JSON.stringify(json), key)
  t.equal((await ask('admin', '/not-there', 'DELETE')).status, 404)
  t.equal((await ask('admin', `/${shown.hash}`, 'DELETE')).status, 200)
  t.same((await ask('admin')).json.data.pingKeys, [])
})
