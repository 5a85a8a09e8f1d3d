// What every probe promises, tried on the probe of endpoints with targets of every trouble.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { makeTarget } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import {
  answer,
  closedPort,
  drip,
  endless,
  gzipBomb,
  hangUp,
  raw,
  redirectTo,
  reset,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'

const clock = startClock()
t.after(() => clock.stop())
const dns = await startDnsServer({})
t.after(() => dns.close())
const probeEndpoint = openProbe(t, clock, { nameServers: [dns.server] })
const okHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

t.test('the contract of a probe', async (t) => {
  const scripts: Record<string, Script> = {
    '/good': answer(),
    '/silent': silent,
    '/hang-up': hangUp,
    '/reset': reset(),
    '/reset-in-body': reset(`${okHead}content-length: 50\r\n\r\nhalf`),
    '/drip-headers': drip('HTTP/1.1 200 OK\r\n', 'x-more: y\r\n'),
    '/drip-body': drip(`${okHead}\r\n`, 'x'),
    '/endless': endless,
    '/bomb': gzipBomb(20 * 1024 * 1024),
    '/short': raw(`${okHead}content-length: 50\r\n\r\nhalf`),
    '/garbage': raw('SSH-2.0-OpenSSH_9.2\r\n'),
    '/garbage-head': raw('HTTP/1.1 200 OK\r\nno colon here\r\n\r\n'),
    '/big-head': raw(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`),
    '/continue': raw('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    '/upgrade': raw('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    '/proto': raw('HTTP/1.1 500 X\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\n\r\n'),
    '/loop': redirectTo('/loop2'),
    '/loop2': redirectTo('/loop'),
    '/nowhere': redirectTo('http://'),
    '/500': answer({ status: 500 }),
  }
  const troubled = await startTarget(scripts)
  t.after(() => troubled.close())
  const refused = makeTarget({ url: `http://127.0.0.1:${await closedPort()}/` })
  const paths = Object.keys(scripts)
  const cases = paths.map((path) => ({
    title: path,
    target: makeTarget({
      url: troubled.url + path,
      timeoutMs: 300,
      expect: /bomb|endless|drip-body/.test(path) ? { bodyContains: 'never there' } : {},
    }),
  }))
  cases.push(
    { title: 'a closed port', target: refused },
    { title: 'no such name', target: makeTarget({ url: 'http://x.example/', timeoutMs: 200 }) },
    { title: 'a URL that is none', target: makeTarget({ url: 'file:///etc/passwd' }) },
    {
      title: 'a bad header',
      target: makeTarget({ url: troubled.url, headers: { a: 'b\r\nc: d' } }),
    },
  )
  await probeContract(t, { probe: probeEndpoint, clock, cases })
})
