// Letters as files: complete, private, bounded, and named in the log without what they say.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLog } from '../../src/base/log/log.ts'
import { createFileMailer, letterFileKeptMs, letterFilesMax } from '../../src/mail/files.ts'
import { letterOf } from '../../src/mail/letter.ts'
import type { LetterEnvelope } from '../../src/mail/transport.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { makeEnvelope, makeLetter, secretLink } from '../support/mail-world.ts'
import { linkIn, readMail } from '../support/read-mail.ts'

function start(t: Test, dir = join(t.testdir(), 'data', 'outbox')) {
  const clock = new FakeClock()
  const lines: string[] = []
  const log = createLog({ level: 'debug', format: 'json', write: (line) => void lines.push(line) })
  const mailer = createFileMailer({ dir, clock, log })
  const send = (envelope: Partial<LetterEnvelope> = {}) =>
    mailer.send(makeEnvelope({ writtenAtMs: clock.nowMs(), ...envelope }), {
      signal: new AbortController().signal,
    })
  const modeOf = (...path: string[]) => statSync(join(dir, ...path)).mode & 0o777
  return { dir, clock, lines, send, modeOf, names: () => readdirSync(dir).sort() }
}

t.test('a letter becomes one file that mail programs open and only its owner reads', async (t) => {
  const { dir, send, modeOf, names, lines } = start(t)
  t.same(await send(), { ok: true })
  const [name = '', ...others] = names()
  t.same(others, [])
  t.equal(name, '20260101T000000Z-ltr_1.eml')
  t.equal(modeOf(name), 0o600)
  t.equal(modeOf(), 0o700)
  const raw = readFileSync(join(dir, name), 'utf8')
  t.notMatch(raw, /[^\r]\n/, 'lines end as the standard says')
  const mail = readMail(raw)
  t.match(mail, {
    subject: 'Sign in',
    from: 'Stillup <up@up.test>',
    to: 'ann@example.test',
    messageId: '<ltr_1@up.test>',
    headers: { 'content-type': /^multipart\/alternative/, 'auto-submitted': 'auto-generated' },
  })
  t.equal(mail.text.trim(), makeLetter().text.trim())
  t.equal(linkIn(mail), secretLink)
  const log = lines.join('')
  t.match(JSON.parse(log), { to: 'a…@example.test', subject: 'Sign in', file: join(dir, name) })
  t.notMatch(log, /s3cr3t|ann@/)
})

t.test('a link can be copied out of the file, whatever else the letter says', async (t) => {
  const { dir, send, names } = start(t)
  const link = `https://up.test/api/v1/auth/password/reset?token=${'a1=b2&'.repeat(20)}`
  const about = {
    language: 'en',
    subject: 'x',
    paragraphs: ['From “Acme”.'],
    footer: ['Goodbye.'],
  } as const
  const letter = letterOf({ ...about, button: { label: 'Go on', url: link } })
  await send({ letter })
  const raw = readFileSync(join(dir, names()[0] ?? ''), 'utf8')
  t.match(raw, `\r\n${link}\r\n`)
  t.match(raw, 'From "Acme".')
  t.notMatch(raw, /quoted-printable/i)
})

t.test('a letter that is not ASCII, or has a very long line, is base64', async (t) => {
  const { dir, send, names } = start(t)
  for (const [index, words] of ['Grüße an Čapek 👋', 'x'.repeat(2_000)].entries()) {
    const about = { subject: words.slice(0, 50), paragraphs: [words], footer: [] }
    const letter = letterOf({ ...about, language: 'en' })
    await send({ letter, messageId: `<ltr_${index + 7}@up.test>` })
    const raw = readFileSync(join(dir, names()[index] ?? ''), 'utf8')
    t.match(raw, 'Content-Transfer-Encoding: base64')
    t.ok(raw.split('\r\n').every((line) => line.length <= 998))
    t.match(readMail(raw).text, words)
    t.match(readMail(raw).html, words)
  }
})

t.test('a directory that others could read is made private', async (t) => {
  const dir = join(t.testdir(), 'outbox')
  mkdirSync(dir)
  chmodSync(dir, 0o755)
  const { send, modeOf } = start(t, dir)
  await send()
  t.equal(modeOf(), 0o700)
})

t.test('the same letter is the same file; half a file is written again', async (t) => {
  const { dir, send, names, modeOf } = start(t)
  await send()
  writeFileSync(join(dir, '20260101T000000Z-ltr_1.eml.tmp'), 'cut sh', { mode: 0o666 })
  await send()
  t.same(names(), ['20260101T000000Z-ltr_1.eml'])
  t.equal(modeOf('20260101T000000Z-ltr_1.eml'), 0o600)
})

t.test('a name in the letter cannot lead to another path', async (t) => {
  const { send, names } = start(t)
  t.same(await send({ messageId: '<../../etc/passwd@up.test>' }), { ok: true })
  t.same(names(), ['20260101T000000Z-....etcpasswd.eml'])
  t.match(await send({ to: 'a@b.test, c@d.test' }), { ok: false, mayRetry: false })
})

t.test('letters beyond a thousand and beyond thirty days are deleted', async (t) => {
  const { dir, clock, send, names } = start(t)
  await send()
  writeFileSync(join(dir, 'notes.txt'), 'mine')
  for (let number = 0; number < letterFilesMax; number += 1) {
    const name = `20260102T000000Z-ltr_${String(number).padStart(4, '0')}.eml`
    writeFileSync(join(dir, name), '')
  }
  await clock.advance(3 * 86_400_000)
  await send({ messageId: '<ltr_new@up.test>' })
  const kept = names().filter((name) => name.endsWith('.eml'))
  t.equal(kept.length, letterFilesMax)
  t.notOk(kept.includes('20260101T000000Z-ltr_1.eml'))
  await clock.advance(letterFileKeptMs)
  await send({ messageId: '<ltr_newest@up.test>' })
  t.equal(names().length, 3, 'the newest two, and what is not ours')
})

t.test('an unwritable directory is reported with its code, and tried again', async (t) => {
  const dir = join(t.testdir(), 'outbox')
  writeFileSync(dir, 'a file in its place')
  const { send } = start(t, dir)
  t.match(await send(), { ok: false, mayRetry: true, reason: /could not be written .*\(E[A-Z]+\)/ })
})
