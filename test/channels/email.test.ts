// E-mail as it is composed: letters compared with a golden file, their bounds, and each address.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createCheck } from '../../src/base/schema/validate.ts'
import { email } from '../../src/channels/email.ts'
import type { AlertLetter, LetterResult } from '../../src/channels/model/letter.ts'
import type { Message } from '../../src/channels/model/message.ts'
import { createSender, type SendContext } from '../../src/channels/sender.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeChannel } from '../support/make-channel.ts'
import {
  longestMessages,
  messageFrom,
  olderPayload,
  samplePayloads,
} from '../support/sample-messages.ts'

type Answers = (letter: AlertLetter) => LetterResult

const delivered: LetterResult = { outcome: { ok: true }, isReachable: true }
const failed = (mayRetry: boolean, reason: string, isReachable = true): LetterResult => ({
  outcome: { ok: false, mayRetry, reason },
  isReachable,
})

function startSender(to: readonly string[], answers: Answers = () => delivered) {
  const letters: AlertLetter[] = []
  const channel = makeChannel({ type: 'email', config: { to }, name: 'On call' })
  const send = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
    async sendLetter(letter) {
      letters.push(letter)
      return answers(letter)
    },
  })
  const clock = new FakeClock(1_767_225_600_000)
  return {
    letters,
    send: (message = messageFrom(opened), more: Partial<SendContext> = {}) =>
      send(message, { channel, config: channel.config }, { clock, ...more }),
  }
}

const opened = samplePayloads.opened as NonNullable<(typeof samplePayloads)[string]>
const resolved = samplePayloads.resolved as typeof opened

async function lettersOf(message: Message): Promise<AlertLetter[]> {
  const { letters, send } = startSender(['ann@example.test'])
  await send(message)
  return letters
}

t.test('each kind of message is the letter of the golden file', async (t) => {
  const file = join(import.meta.dirname, 'golden/email.json')
  const found: Record<string, unknown> = {}
  for (const [name, payload] of Object.entries(samplePayloads)) {
    found[name] = await lettersOf(messageFrom(payload))
  }
  if (process.env.GOLDEN) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
  t.ok(existsSync(file), `${file} is there`)
  const golden = JSON.parse(readFileSync(file, 'utf8'))
  for (const name of Object.keys(samplePayloads)) t.same(found[name], golden[name], name)
})

t.test('no letter links to the API', async (t) => {
  for (const payload of [...Object.values(samplePayloads), olderPayload]) {
    t.notMatch(JSON.stringify(await lettersOf(messageFrom(payload))), '/api/v1/')
  }
})

t.test('the longest letter has bounds', async (t) => {
  for (const message of longestMessages()) {
    const [letter] = await lettersOf(message)
    t.ok(letter && letter.subject.length <= 200)
    t.ok(letter && letter.title.length <= 500)
    const json = JSON.stringify(letter)
    t.ok(json.isWellFormed(), 'no character is cut in two')
    t.ok(json.length < 60_000, `${json.length} characters`)
  }
})

t.test('all letters about one incident have one subject and one thread', async (t) => {
  const { opened, reminder, acknowledged, resolved } = samplePayloads
  const letters = await Promise.all(
    [opened, reminder, acknowledged, resolved].map(async (one) => {
      const [letter] = one ? await lettersOf(messageFrom(one)) : []
      return letter
    }),
  )
  t.equal(new Set(letters.map((one) => one?.subject)).size, 1)
  t.equal(new Set(letters.map((one) => one?.threadId)).size, 1)
  t.match(letters[0]?.threadId, /^inc_/)
  t.equal(new Set(letters.map((one) => one?.title)).size, 4, 'the title says the news')
})

t.test('a matter without an incident has a thread, a test has none', async (t) => {
  const threadOf = async (name: string) => {
    const payload = samplePayloads[name]
    const [letter] = payload ? await lettersOf(messageFrom(payload)) : []
    return letter?.threadId
  }
  t.match(await threadOf('certificate'), /^[0-9a-f]{32}$/)
  t.not(await threadOf('certificate'), await threadOf('domain'))
  t.equal(await threadOf('test'), null)
  t.equal(await threadOf('digest'), null)
})

t.test('every address gets a letter of its own', async (t) => {
  const { letters, send } = startSender(['ann@example.test', 'bob@example.test'])
  t.same(await send(), { ok: true })
  t.same(
    letters.map(({ to }) => to),
    ['ann@example.test', 'bob@example.test'],
  )
})

t.test('an address that is refused for good does not keep the others from theirs', async (t) => {
  const { letters, send } = startSender(['gone@example.test', 'ann@example.test'], ({ to }) =>
    to.startsWith('gone') ? failed(false, 'Refused (550).') : delivered,
  )
  t.match(await send(), { ok: true, warning: 'Refused (550).' })
  t.equal(letters.length, 2)
})

t.test('a letter that arrived is not repeated for the sake of another', async (t) => {
  const to = ['slow@example.test', 'ann@example.test', 'gone@example.test']
  const first = startSender(to, ({ to }) => {
    if (to.startsWith('slow')) return failed(true, 'Deferred (451).')
    return to.startsWith('gone') ? failed(false, 'Refused (550).') : delivered
  })
  const outcome = await first.send()
  t.match(outcome, { ok: false, mayRetry: true, reason: 'Deferred (451).' })
  t.equal(first.letters.length, 3)
  const { partsDone = [] } = outcome.ok ? {} : outcome
  t.equal(partsDone.length, 2)

  // Somebody ended the letters meanwhile, and somebody else was added: places in the list changed.
  const second = startSender(['gone@example.test', 'slow@example.test', 'new@example.test'])
  t.match(await second.send(undefined, { partsDone }), { ok: true })
  t.same(
    second.letters.map(({ to }) => to),
    ['slow@example.test', 'new@example.test'],
  )
})

t.test('a server that is away is not asked for each address', async (t) => {
  const { letters, send } = startSender(['ann@example.test', 'bob@example.test'], () =>
    failed(true, 'The mail server could not be reached (ECONNREFUSED).', false),
  )
  t.match(await send(), { ok: false, mayRetry: true, reason: /could not be reached/ })
  t.equal(letters.length, 1)
})

t.test('without a mail server the attempt fails in words, and is tried again', async (t) => {
  const channel = makeChannel({ type: 'email', config: { to: ['ann@example.test'] } })
  const send = createSender({
    sign: () => '',
    request: () => Promise.reject(new Error('must not be called')),
  })
  t.match(
    await send(
      messageFrom(resolved),
      { channel, config: channel.config },
      { clock: new FakeClock() },
    ),
    { ok: false, mayRetry: true, reason: 'No mail server is set up: mail.smtpUrl.' },
  )
})

t.test('one to twenty addresses, none of them twice', async (t) => {
  const check = createCheck(email.config, 10)
  const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.test`)
  t.same(check({ to: many(20) }), [])
  t.match(check({ to: many(21) }), [{ pointer: '/to' }])
  t.match(check({ to: [] }), [{ pointer: '/to' }])
  t.match(check({ to: ['ann'] }), [{ pointer: '/to/0' }])
  t.match(check({ to: ['a@b.test\r\nBcc: c@d.test'] }), [{ pointer: '/to/0' }])
  t.match(email.problems?.({ to: ['ann@b.test', 'Ann@B.test'] }), [
    { pointer: '/to/1', message: 'is in the list twice' },
  ])
})
