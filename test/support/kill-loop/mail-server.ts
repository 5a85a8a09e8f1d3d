// The receiver of alerts by e-mail: notes each letter before it says whether it takes it.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'
import { readMail } from '../read-mail.ts'
import type { Arrival, Fate } from './hooks.ts'
import { nameOfLetter } from './wire.ts'

/** Gives its address. */
export async function startMailServer(
  t: Test,
  receive: (arrival: Arrival) => Promise<Fate>,
): Promise<string> {
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 10,
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope: { rcptTo } }, done) {
      const channel = rcptTo[0]?.address.split('@')[0] ?? ''
      const take = async () => {
        const { headers, text: body, messageId } = readMail(await text(stream))
        return receive({ channel, name: nameOfLetter(messageId), body, headers })
      }
      take().then(
        (fate) => (fate === 'taken' ? done(null, 'kept') : done(refusals[fate])),
        (error: Error) => done(error),
      )
    },
  })
  // Senders are killed in the middle of a letter.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

/** Later attempts may help; after a 421 the server closes the connection. */
const refusals = { refused: refusal(451), 'cut off': refusal(421) }

function refusal(responseCode: number): Error {
  return Object.assign(new Error('not now'), { responseCode })
}
