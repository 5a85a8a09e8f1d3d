// A client certificate of a monitor, from the API: its key is sealed, and goes to its server alone.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import t from 'tap'
import { secretMask } from '../../src/domain/secret-mask.ts'
import { register } from '../support/cast.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { startDaemon } from '../support/daemon.ts'

const { good, other } = testCertificates

t.test('a monitor proves itself with a certificate whose key nobody is shown', async (t) => {
  const options = { ...good, ca: testCa, requestCert: true, rejectUnauthorized: true }
  const server = tls.createServer({ ...options, maxVersion: 'TLSv1.2' }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const daemon = await startDaemon(t)
  const { org, cookie } = await register(daemon, 'ada')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  const json = {
    ...{ name: 'Bank', url, failureThreshold: 1, caCertificates: testCa },
    ...{ clientCertificate: good.cert, clientKey: good.key },
  }
  const ask = (method: 'POST' | 'PATCH', path: string, body: object) =>
    daemon.ask(method, `/api/v1${org}/monitors${path}`, { cookie, json: body })

  const made = await daemon.need('POST', `${org}/monitors`, { cookie, json })
  t.match(made, { clientCertificate: good.cert, clientKey: secretMask })
  await daemon.need('POST', `${org}/monitors/${made.id}`, { cookie })
  t.equal((await daemon.need('GET', `${org}/monitors/${made.id}`, { cookie })).state, 'up')
  t.match(await daemon.need('POST', `${org}/monitors/test`, { cookie, json }), { outcome: 'up' })

  const pointersOf = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const { status, json } = await ask(method, path, body)
    return [
      status,
      ...(json.error?.details ?? json.errors ?? []).map((one: { pointer: string }) => one.pointer),
    ]
  }
  const change = (body: object) => pointersOf('PATCH', `/${made.id}`, body)
  t.same(await change({ clientCertificate: other.cert }), [422, '/clientKey'], 'it does not fit')
  t.same(await change({ clientKey: other.key }), [422, '/clientKey'])
  t.same(await change({ clientKey: null }), [422, '/clientKey'])
  t.same(await change({ url: 'https://evil.test/' }), [422, '/clientKey'], 'another server')
  t.same(await change({ clientCertificate: `renewed\n${good.cert}` }), [200])
  const bulk = { ids: [made.id], clientCertificate: other.cert }
  t.same(await pointersOf('PATCH', '', bulk), [422, '/clientCertificate'])
  t.same(await pointersOf('PATCH', '', { ...bulk, clientKey: good.key }), [422, '/clientKey'])
  t.same(await pointersOf('PATCH', '', { ...bulk, clientKey: other.key }), [200])

  const exported = await daemon.need('GET', `${org}/export`, { cookie })
  t.notMatch(JSON.stringify(exported), /PRIVATE KEY/)
  const imported = await daemon.need('POST', `${org}/import`, { cookie, json: exported })
  t.match(JSON.stringify(imported), /clientKey/)
  const list: { id: string; isActive: boolean; clientKey: string | null }[] = await daemon.need(
    'GET',
    `${org}/monitors`,
    { cookie },
  )
  const copy = list.find(({ id }) => id !== made.id)
  t.match(copy, { isActive: false, clientKey: null }, 'it waits for its key')
  const path = `/${copy?.id}`
  t.same(await pointersOf('PATCH', path, { isActive: true }), [422, '/clientKey'])
  t.same(await pointersOf('PATCH', path, { isActive: true, clientKey: other.key }), [200])
})
