// Authorities of a monitor, from the API: stored, shown, changed, exported and imported.
import t from 'tap'
import { register } from '../support/cast.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { startDaemon } from '../support/daemon.ts'
import { answer, startTarget } from '../support/target.ts'

t.test('a monitor keeps the authorities that its target is certified by', async (t) => {
  const web = await startTarget(answer(), { tls: testCertificates.good })
  t.after(() => web.close())
  const daemon = await startDaemon(t)
  const { org, cookie } = await register(daemon, 'ada')
  const url = `https://localhost:${web.port}/`
  const fields = { name: 'Intranet', url, failureThreshold: 1 }
  const stateOf = async (id: string) => {
    await daemon.need('POST', `${org}/monitors/${id}`, { cookie })
    return (await daemon.need('GET', `${org}/monitors/${id}`, { cookie })).state
  }

  const json = { ...fields, caCertificates: testCa }
  const made = await daemon.need('POST', `${org}/monitors`, { cookie, json })
  t.equal(made.caCertificates, testCa)
  t.equal(await stateOf(made.id), 'up')
  const plain = await daemon.need('POST', `${org}/monitors`, { cookie, json: fields })
  t.equal(plain.caCertificates, null)
  t.equal(await stateOf(plain.id), 'down')

  const exported = await daemon.need('GET', `${org}/export`, { cookie })
  t.same(
    exported.monitors.map((one: { caCertificates: string | null }) => one.caCertificates),
    [testCa, null],
  )
  const copy = { ...json, name: 'Copy' }
  const document = { format: 'stillup/1', monitors: [copy] }
  await daemon.need('POST', `${org}/import`, { cookie, json: document })
  await daemon.need('POST', `${org}/monitors/bulk`, { cookie, json: { monitors: [copy] } })
  const listed: { name: string; caCertificates: string | null }[] = await daemon.need(
    'GET',
    `${org}/monitors`,
    { cookie },
  )
  const copies = listed.filter(({ name }) => name === 'Copy')
  t.same(
    copies.map((one) => one.caCertificates),
    [testCa, testCa],
  )
  const tried = await daemon.need('POST', `${org}/monitors/test`, { cookie, json })
  t.equal(tried.outcome, 'up')

  const change = (caCertificates: unknown) =>
    daemon.ask('PATCH', `/api/v1${org}/monitors/${made.id}`, { cookie, json: { caCertificates } })
  const broken = testCa.replace(/MII.{60}/, 'MIIB')
  t.equal((await change(broken)).status, 422)
  t.equal((await change(testCertificates.good.key)).status, 422)
  t.equal((await change('')).status, 200)
  const after = await daemon.need('GET', `${org}/monitors/${made.id}`, { cookie })
  t.equal(after.caCertificates, null)
})
