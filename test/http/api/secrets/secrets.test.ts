// Secrets as callers of the API meet them: fields, masks, and refusals that name the field.
import t from 'tap'
import { secretMask } from '../../../../src/domain/secret-mask.ts'
import { secrets } from '../../../../src/http/api/secrets/secrets.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createSecrets } from '../../../../src/services/secrets/secrets.ts'
import { openCore } from '../../../support/core.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'

const whole = {
  name: 'SHOP_TOKEN',
  value: 'sk_live_8JbFzuQ2',
  hosts: ['api.example.com'],
  description: 'Of the test customer',
}

t.test(
  'a secret is shown without its value, and a wrong field is refused by its name',
  async (t) => {
    const core = openCore(t)
    const server = await startTestHttp({
      routes: atPrefix('/api/v1', secrets),
      services: { secrets: createSecrets(core) },
    })
    t.teardown(() => server.stop())
    const send = (method: string, rest: string, json?: unknown) =>
      server.ask(`/api/v1/orgs/${orgA}/secrets${rest}`, { as: 'alice', method, json })
    const { json } = await send('POST', '', whole)
    t.match(json, { message: 'Secret created', data: { ...whole, value: secretMask } })
    t.match(json.data, { id: /^sct_/, monitors: 0, monitorIds: [], revision: 1 })
    t.notMatch(JSON.stringify(json), /sk_live/)
    t.match((await send('GET', '')).json.data, [{ name: whole.name, value: secretMask }])
    const changed = await send('PATCH', `/${json.data.id}`, { description: null })
    t.match(changed.json.data, { description: null, hosts: whole.hosts, revision: 2 })
    for (const [more, pointer] of [
      [{ name: '1A' }, '/name'],
      [{ name: '{{A}}' }, '/name'],
      [{ value: 'abc' }, '/value'],
      [{ value: 'x'.repeat(5_000) }, '/value'],
      [{ value: 'two\u0000parts' }, '/value'],
      [{ value: null }, '/value'],
      [{ hosts: ['http://a.test'] }, '/hosts/0'],
      [{ hosts: 'a.test' }, '/hosts'],
      [{ color: 'red' }, '/color'],
    ] as const) {
      const refused = await send('POST', '', { ...whole, name: 'OTHER', ...more })
      t.match(refused.json, { status: 422, errors: [{ pointer }] }, JSON.stringify(more))
      t.notMatch(JSON.stringify(refused.json), /sk_live|two|xxxx/)
    }
    t.match((await send('POST', '', whole)).json, { status: 422, errors: [{ pointer: '/name' }] })
    t.equal((await send('DELETE', `/${json.data.id}`)).json.message, 'Secret deleted')
  },
)
