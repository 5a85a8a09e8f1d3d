// Name servers that take their time, or are not there: how long a look-up takes.
import { Resolver as CaresResolver } from 'node:dns/promises'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  createNameServers,
  dnsTimeoutMsMax,
  type NameServers,
} from '../../../src/net/dns/name-servers.ts'
import { type Answering, addresses, startBadNameServer } from '../../support/bad-name-server.ts'
import { fairMs } from '../../support/starvation.ts'

const clock = startClock()
t.after(() => clock.stop())
const good = addresses(['127.0.0.1'])
const silent: Answering = () => []
const slowMs = 1_500
const slackMs = 250

async function start(answering: Answering, lateMs = 0) {
  const quick = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`quick${i}.test`, good]))
  const server = await startBadNameServer({ ...quick, 'a.test': answering }, (name) =>
    name === 'a.test' ? lateMs : 0,
  )
  t.after(() => server.close())
  return server.server
}

function asking(...servers: readonly string[]): NameServers {
  const open = (how: object): CaresResolver => {
    const channel = new CaresResolver(how)
    channel.setServers(servers)
    return channel
  }
  return createNameServers({ clock, open, onAnswer() {} })
}

/** What comes of asking for a name, after how many milliseconds. */
async function timed(servers: NameServers) {
  const startedMs = fairMs()
  const { addresses, code } = await servers.ask('a.test', 'any')
  return { said: addresses[0] ?? code, tookMs: fairMs() - startedMs }
}

/** A server is known to be quick after some answers; then c-ares is impatient with it. */
async function afterQuickAnswers(servers: NameServers): Promise<NameServers> {
  for (let i = 0; i < 20; i++) await servers.ask(`quick${i}.test`, 'ipv4')
  return servers
}

/** As where c-ares finds no file to spare when a second channel is opened. */
function forgetful(server: string): NameServers {
  let opened = 0
  const open = (how: object): CaresResolver => {
    const channel = new CaresResolver(how)
    channel.setServers([opened++ === 0 ? server : '127.0.0.1:1'])
    return channel
  }
  return createNameServers({ clock, open, onAnswer() {} })
}

/** Silent when asked first. */
function laterGood(): Answering {
  let asked = 0
  return (question) => (asked++ === 0 ? [] : good(question))
}

interface Row {
  readonly servers: () => Promise<NameServers>
  readonly said: string
  readonly tookMsMax: number
}

const rows: Readonly<Record<string, Row>> = {
  'one that answers the second time, though who to ask could not be read again': {
    servers: async () => forgetful(await start(laterGood())),
    said: '127.0.0.1',
    tookMsMax: dnsTimeoutMsMax,
  },
  'a silent one': {
    servers: async () => asking(await start(silent)),
    said: 'ETIMEOUT',
    tookMsMax: dnsTimeoutMsMax,
  },
  'one that is silent about one name only': {
    servers: async () => afterQuickAnswers(asking(await start(silent))),
    said: 'ETIMEOUT',
    tookMsMax: dnsTimeoutMsMax,
  },
  'two silent ones': {
    servers: async () => asking(await start(silent), await start(silent)),
    said: 'ETIMEOUT',
    tookMsMax: dnsTimeoutMsMax,
  },
  'a silent one and a good one': {
    servers: async () => asking(await start(silent), await start(good)),
    said: '127.0.0.1',
    tookMsMax: limits.dnsTryMsMax,
  },
  'a good one, once the one before it was found to be silent': {
    async servers() {
      const servers = asking(await start(silent), await start(good))
      await servers.ask('a.test', 'ipv4')
      return servers
    },
    said: '127.0.0.1',
    tookMsMax: 0,
  },
  'a slow one': {
    servers: async () => asking(await start(good, slowMs)),
    said: '127.0.0.1',
    tookMsMax: slowMs,
  },
  'one that is slow about one name only': {
    servers: async () => afterQuickAnswers(asking(await start(good, slowMs))),
    said: '127.0.0.1',
    tookMsMax: dnsTimeoutMsMax,
  },
}

t.test('a server that can only be queried through its zone is not used for others', (t) => {
  const places = asking('fe80::1%eth0', '192.0.2.1', '[fe80::2]:5353', '2001:db8::1').endpoints
  t.same(places, ['192.0.2.1', '2001:db8::1'])
  t.same(asking('fe80::1%eth0').endpoints, [])
  t.end()
})

/** c-ares counts in real time, and asks again where the machine was too busy to read its answer. */
const roundsMax = 3

t.test('a look-up is bounded, and tolerates slow servers', async (t) => {
  const asked = Object.entries(rows).map(async ([name, row]) => {
    const mayTakeMs = row.tookMsMax + slackMs
    let found = await timed(await row.servers())
    for (let round = 1; round < roundsMax; round += 1) {
      if (found.said === row.said && found.tookMs <= mayTakeMs) break
      found = await timed(await row.servers())
    }
    t.equal(found.said, row.said, name)
    t.ok(found.tookMs <= mayTakeMs, `${name}: ${found.tookMs} ms`)
  })
  await Promise.all(asked)
})
