// A shadow run by the command line: the import is silent, is compared, and goes live.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { movingWorld } from '../../support/moving-world.ts'

t.test('an import beside the old system is silent, compared, and goes live', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const ask = (path: string, json?: object) =>
    daemon.need(json ? 'POST' : 'GET', `${alice.org}${path}`, { cookie: alice.cookie, json })
  const url = 'http://127.0.0.1:9/'
  const document = {
    format: 'stillup/1',
    source: { product: 'kuma', installation: 'a' },
    monitors: [{ origin: 'monitor/1', name: 'Lift', checkType: 'manual' }],
  }
  writeFileSync(join(cwd, 'one.json'), JSON.stringify(document))
  const made = await cli('import', 'one.json', '--org', alice.orgId, '--shadow', '--json')
  const { importId } = JSON.parse(made.out)
  t.match(await cli('shadow', alice.orgId), { code: 0, out: new RegExp(`${importId} +1`) })
  const channels = [{ origin: 'notification/1', name: 'Hook', type: 'webhook', config: { url } }]
  writeFileSync(join(cwd, 'more.json'), JSON.stringify({ ...document, channels }))
  const again = await cli('import', 'more.json', '--org', alice.orgId, '--shadow')
  t.match(again.out, /Created: 1 alert channel/)
  t.notMatch(again.out, /new monitors tell nobody/, 'there are none')
  const [lift] = await ask('/monitors?isShadow=true')
  t.match(lift, { name: 'Lift', shadow: { importId } })
  const fromMs = Date.now()
  await ask(`/monitors/${lift.id}/state`, { state: 'down', message: 'It is stuck.' })
  const outages = [{ fromMs, toMs: null, text: 'Kuma says so' }]
  const history = [{ origin: 'monitor/1', days: [], hours: [], outages }]
  await ask(`/imports/${importId}/history`, { history })
  const report = await cli('shadow', alice.orgId, importId)
  t.match(report.out, /1 silent monitor, 0 live/)
  t.match(report.out, /both told: 1/)
  t.match(report.out, /Lift: both told, the other product first by \d+ s\n {4}Kuma says so/)
  t.match(report.out, /can tell its alerts at http/)
  t.match(await cli('shadow', alice.orgId, importId, '--kind', 'onlyOurs'), { code: 0 })
  const former = await ask(`/imports/${importId}/shadow`)
  const replaced = await cli('shadow', alice.orgId, importId, '--new-address')
  t.match(replaced, { code: 0, out: /can tell its alerts at http/ })
  t.notMatch(replaced.out, former.reportUrl)
  t.match(await cli('shadow', alice.orgId, '--new-address'), { err: /--new-address needs/ })
  t.match(await cli('shadow', alice.orgId, '--go-live'), { err: /--go-live needs the import/ })
  t.match(await cli('shadow', alice.orgId, importId, '--go-live'), {
    code: 0,
    out: '1 monitor live; 1 outage told now.',
  })
  t.match(await cli('shadow', alice.orgId), { out: 'No monitor is silent.' })
  t.same(await ask('/monitors?isShadow=true'), [])
  t.match(await cli('shadow', alice.orgId, 'imp_01arz3ndektsv4rrffq69g5fav'), { code: 1 })
})
