// The check of a UDP port: sends the body, and waits for the answer that is expected.
import { bodyHolds, needsBody } from '../../domain/assertions/assertion.ts'
import { askByDatagram } from '../run/datagrams.ts'
import { bytesToSend, escapeProblem, sentBytes } from '../run/escapes.ts'
import { defineKind } from '../run/kind.ts'
import { verdictAtMs } from '../run/probe-run.ts'
import { parseServerUrl } from './server-url.ts'

/** Answers that are compared with what is expected; after so many, the last one counts. */
const answersMax = 100

/** What fits into one datagram of IPv4. */
const datagramBytesMax = 65_507

function datagramProblem(body: string): string | null {
  const problem = escapeProblem(body)
  if (problem !== null || bytesToSend(body).length <= datagramBytesMax) return problem
  return `must have at most ${datagramBytesMax} bytes: it is one datagram`
}

/** Each datagram is an answer of its own. */
export const udp = defineKind({
  type: 'udp',
  family: 'network',
  fields: ['connection', 'message'],
  sources: ['ip'],
  textName: 'answer',
  schemes: ['udp'],
  icon: 'send',
  example: 'udp://game.example.com:27015',
  urlForm:
    '`udp://host:port`: sends `body` in one datagram (absent: an empty one), and waits for one that meets ' +
    'what is expected; if nothing is, any is good',
  finds: 'text',
  message: { is: 'message', example: '\\x00\\x01ping' },
  bodyProblem: datagramProblem,
  parse(text) {
    const url = parseServerUrl(text, { ports: { udp: 0 }, options: {} })
    if (url.problem !== undefined || url.port !== 0) return url
    return { problem: 'must name a port, such as udp://host:27015' }
  },
  destination: (url) => url,
  open: () => ({
    async look({ host, port }, target, run) {
      const { clock, record } = run
      const { expect } = target
      const socket = await run.datagrams({ host, port })
      const bytes = sentBytes(target.body ?? '', record)
      let heard: string | undefined
      let answers = 0
      const answered = askByDatagram(run, socket, {
        isOnce: true,
        ask: () => bytes,
        read(datagram) {
          const text = datagram.toString()
          heard = text
          answers += 1
          if (answers === answersMax || !needsBody(expect)) return text
          const answer = { contentType: 'text/plain', text: () => text }
          return record.examinedNow(() => bodyHolds(expect, answer)) ? text : undefined
        },
      })
      // What came until shortly before the deadline is judged; if nothing did, the deadline says so.
      const late = Promise.withResolvers<string>()
      const leftMs = verdictAtMs(run, target) - clock.monoMs()
      const timer = clock.setTimeout(() => heard !== undefined && late.resolve(heard), leftMs)
      run.track({ destroy: () => clock.clearTimeout(timer) })
      return { text: await Promise.race([answered, late.promise]) }
    },
  }),
})
