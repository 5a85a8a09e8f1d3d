// Behind Caddy, with the Caddyfile of docs/status-pages.md: a custom domain gets its certificate when
// it is first asked for, and hosts that are not ours get none.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import t from 'tap'
import { getAtHost } from '../support/at-host.ts'
import { register } from '../support/cast.ts'
import { prepareCaddy } from '../support/child-peer.ts'
import { startDaemon } from '../support/daemon.ts'
import { rdata, startRecordsServer } from '../support/dns-records-server.ts'
import { skipWithout } from '../support/programs.ts'

const manual = readFileSync(join(import.meta.dirname, '../../docs/status-pages.md'), 'utf8')
const ours = 'http://127.0.0.1:8080'
const host = 'status.example.com'

/** The global options and the sites of the manual's Caddyfile. */
function caddyfileFor(url: string) {
  const [, block = ''] = /```caddyfile\n([\s\S]+?)```/.exec(manual) ?? []
  const [, options = '', sites = ''] = /^\{\n([\s\S]+?)\n\}\n([\s\S]+)$/.exec(block) ?? []
  if (!options.includes(ours)) throw new Error('docs/status-pages.md has no Caddyfile')
  const { host: place } = new URL(url)
  return {
    options: options.replaceAll('127.0.0.1:8080', place),
    sites: sites.replaceAll('127.0.0.1:8080', place),
  }
}

/** The names of the certificate for a host; an error code in place of it. */
async function certificateNames(port: number, servername: string): Promise<string> {
  const socket: TLSSocket = connect({
    port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect')
    return socket.getPeerCertificate().subjectaltname ?? ''
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    socket.destroy()
  }
}

function getSecurely(
  port: number,
  path: string,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const to = { port, host: '127.0.0.1', path, servername: name, rejectUnauthorized: false }
    const sent = request({ ...to, headers: { ...headers, host: name } }, (response) => {
      text(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, body })
      }, reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

t.test('Caddy gets certificates for our hosts only', { skip: skipWithout('caddy') }, async (t) => {
  const servers = [await startRecordsServer({}), await startRecordsServer({})]
  t.teardown(() => Promise.all(servers.map((server) => server.close())))
  const daemon = await startDaemon(t, {
    env: {
      DNS_SERVERS: servers.map(({ server }) => server).join(','),
      HTTP_BASE_URL: 'https://up.example.test',
      HTTP_STATUS_DOMAIN: 'pages.test',
      HTTP_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  const caddy = await prepareCaddy(t)
  const { sites, options } = caddyfileFor(daemon.url)
  await caddy.start(sites, options)
  const { cookie, org } = await register(daemon, 'alice')
  const page = { name: 'Acme', slug: 'acme' }
  const { id: statusPageId } = await daemon.need('POST', `${org}/status-pages`, {
    cookie,
    json: page,
  })
  const json = { hostname: host, statusPageId }
  const domain = await daemon.need('POST', `${org}/custom-domains`, { cookie, json })

  const refused = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'
  t.equal(await certificateNames(caddy.tlsPort, host), refused, 'not before it is proven')

  const here = { records: [rdata.address('127.0.0.1')] }
  for (const server of servers) {
    server.zone = {
      [`TXT _status-challenge.${host}`]: { records: [rdata.text(domain.records[0].value)] },
      [`A ${host}`]: here,
      'A up.example.test': here,
    }
  }
  const path = `${org}/custom-domains/${domain.id}`
  t.match(await daemon.need('POST', `${path}/verify`, { cookie }), { status: 'active' })
  t.equal(await certificateNames(caddy.tlsPort, host), `DNS:${host}`)
  const served = await getSecurely(caddy.tlsPort, '/', host)
  t.equal(served.status, 200)
  t.match(served.body, 'Acme')
  t.equal(await certificateNames(caddy.tlsPort, 'up.example.test'), 'DNS:up.example.test')
  t.equal(await certificateNames(caddy.tlsPort, 'other.example.com'), refused)
  t.equal(await certificateNames(caddy.tlsPort, 'other.pages.test'), refused)

  const plain = await getAtHost(`http://127.0.0.1:${caddy.port}/`, host)
  t.equal(plain.status, 308)
  t.match(plain.headers.location, `https://${host}`)

  const inside = `/internal/tls-ask?domain=${host}`
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }]) {
    const outside = await getSecurely(caddy.tlsPort, inside, 'up.example.test', headers)
    t.equal(outside.status, 401, 'those outside may not ask')
    const atPage = await getSecurely(caddy.tlsPort, inside, host, headers)
    t.equal(atPage.status, 404, 'and at the host of a page there is nothing to ask')
  }

  await daemon.need('DELETE', path, { cookie })
  t.equal((await getSecurely(caddy.tlsPort, '/', host)).status, 404, 'gone at once')
})
