// Monitors of the machine: what a probe's own settings list is watched there, whatever the daemon lists.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

t.test('a probe watches what its own settings list of its machine, and nothing else', async (t) => {
  const folder = testFolder(t)
  writeFileSync(join(folder, 'db.dump'), 'x')
  const daemon = await startDaemon(t)
  const { org, key, cookie } = await registerWithKey(daemon)
  const location = await daemon.need('POST', `${org}/locations`, { cookie, json: { name: 'Oslo' } })
  const probes = `${org}/locations/${location.id}/probes`
  const made = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
  daemon.secrets.add(made.token)
  const server = ['--server', daemon.url]
  startProbeProcess(t, made.token, server, { STILLUP_CHECKS_FILES: folder })

  const dump = { checkType: 'file', url: `file://${folder}/*.dump?maxAge=1d` }
  const memory = { checkType: 'host', url: 'host://memory' }
  const elsewhere = { failureThreshold: 1, intervalSeconds: 10, locations: [location.id] }
  const create = (fields: object) =>
    daemon.ask('POST', `/api/v1${org}/monitors`, { key, json: fields })
  for (const fields of [dump, memory]) {
    t.match(await create({ name: 'Here', ...fields }), {
      status: 422,
      json: {
        code: 'target_not_allowed',
        detail: /the operator decides with checks\.(files|host)$/,
      },
    })
  }
  const [file, host] = await Promise.all(
    [dump, memory].map((fields) =>
      daemon.need('POST', `${org}/monitors`, {
        key,
        json: { name: fields.checkType, ...fields, ...elsewhere },
      }),
    ),
  )
  const look = ({ id }: { readonly id: string }, more = '') =>
    daemon.need('GET', `${org}/monitors/${id}${more}`, { key })
  await until(async () => (await look(file)).state === 'up')
  await until(async () => (await look(host, '/locations')).places[0].error !== null)
  t.match(await look(host, '/locations'), {
    vote: { voting: 0 },
    places: [
      { error: { kind: 'blocked', message: /state of this machine, .* STILLUP_CHECKS_HOST$/ } },
    ],
  })
  t.not((await look(host)).state, 'down')
})
