// A post with its outbox on a store of its own; the mailer is the test's.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type LetterQueue, startLetterQueue } from '../../src/actors/letters/letter-queue.ts'
import type { Clock } from '../../src/base/clock.ts'
import { createLog } from '../../src/base/log/log.ts'
import { type Letter, letterOf } from '../../src/mail/letter.ts'
import type { LetterEnvelope, SendLetter } from '../../src/mail/transport.ts'
import { createBox } from '../../src/seal/box.ts'
import { openKeyring } from '../../src/seal/keyring.ts'
import { createMailer, enclosedIn, type Mailer } from '../../src/services/mailer.ts'
import type { Store } from '../../src/store/store.ts'
import type { FakeClock } from './fake-clock.ts'
import { openTempStore } from './temp-store.ts'

export const sender = { name: 'Stillup', address: 'up@up.test' }
export const secretLink = 'https://up.test/sign-in?token=s3cr3t-t0ken-of-a-link'

/** A letter with a link; `about` tells it from others. */
export function makeLetter(about = 'Sign in'): Letter {
  return letterOf({
    language: 'en',
    subject: about,
    paragraphs: ['Open the link.'],
    footer: ['Was it not you? Ignore this.'],
    button: { label: 'Sign in', url: secretLink },
  })
}

/** An envelope for a mailer that is tried without a post. */
export function makeEnvelope(envelope: Partial<LetterEnvelope> = {}): LetterEnvelope {
  return {
    to: 'ann@example.test',
    from: sender,
    messageId: '<ltr_1@up.test>',
    writtenAtMs: Date.UTC(2026, 0, 1),
    letter: makeLetter(),
    ...envelope,
  }
}

export interface MailWorld {
  readonly store: Store
  /** The directory of the store. */
  readonly dir: string
  readonly fakeClock: FakeClock
  /** What was logged, one entry a line. */
  readonly lines: readonly string[]
  /** The outbox and post that run now. */
  readonly letters: LetterQueue
  readonly mailer: Mailer
  /** Owes a letter to each of the addresses, in one transaction, and wakes the post. */
  mail(to: string | readonly string[], about?: string): Promise<void>
  /** Another outbox and post on the same store, as after a restart. */
  restart(options?: { send?: SendLetter; store?: Store }): LetterQueue
}

export interface MailWorldOptions {
  readonly send: SendLetter
  /** Default: a fake one. */
  readonly clock?: Clock
}

export function startMailWorld(t: Test, options: MailWorldOptions): MailWorld {
  const { store, dir, clock: fakeClock } = openTempStore(t)
  const clock = options.clock ?? fakeClock
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  const file = join(dir, 'master.key')
  const box = createBox(openKeyring({ file, create: true, random: randomBytes }))

  function start(own: { send?: SendLetter; store?: Store }) {
    const letters = startLetterQueue({
      store: own.store ?? store,
      clock,
      log,
      random: () => 0.5,
      from: () => sender,
      send: own.send ?? options.send,
      open: (sealed) => enclosedIn(box.open(sealed)),
    })
    const mailer = createMailer({ store, clock, box, from: () => sender, wake: letters.wake })
    t.teardown(async () => {
      const stopped = letters.stop()
      // A test may leave a server hanging.
      await fakeClock.advance(10_000)
      await stopped
    })
    return { letters, mailer }
  }

  let running = start({})
  return {
    store,
    dir,
    fakeClock,
    lines,
    get letters() {
      return running.letters
    },
    get mailer() {
      return running.mailer
    },
    async mail(to, about) {
      await store.write((tx) => {
        for (const one of [to].flat()) running.mailer.enqueue(tx, one, makeLetter(about))
      })
    },
    restart(own = {}) {
      running = start(own)
      return running.letters
    },
  }
}
