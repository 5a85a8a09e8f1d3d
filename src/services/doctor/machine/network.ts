// The network of this machine, as the checks of `stillup doctor` see it.
import { Resolver as CaresResolver } from 'node:dns/promises'
import type { RunningClock } from '../../../base/clock.ts'
import { newId } from '../../../base/ids.ts'
import { silentLog } from '../../../base/log/log.ts'
import { within } from '../../../base/timeout.ts'
import type { Settings } from '../../../config/settings.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { mailboxOf } from '../../../mail/address.ts'
import { letterOf } from '../../../mail/letter.ts'
import { createSmtpMailer, verifySmtp } from '../../../mail/smtp.ts'
import { createResolver } from '../../../net/dns/resolver.ts'
import { codeOf } from '../../../net/failure.ts'
import type { NetworkPort } from '../model/world.ts'
import { doctorProbeMs, exchange } from './exchange.ts'

export function createNetworkPort(clock: RunningClock, settings: Settings): NetworkPort {
  const { servers } = settings.dns
  const resolver = createResolver({ clock, servers })

  return {
    nameServers: () => resolver.servers,
    async askServer(server, name) {
      const asked = new CaresResolver({ timeout: doctorProbeMs, tries: 1 })
      const sinceMs = clock.monoMs()
      const ask = async () => {
        try {
          asked.setServers([server])
          await asked.resolve4(name)
          return null
        } catch (error) {
          return codeOf(error)
        }
      }
      const answer = await within(
        clock,
        ask().then((code) => ({ code })),
        doctorProbeMs,
      )
      if (answer === undefined) asked.cancel()
      const tookMs = clock.monoMs() - sinceMs
      return { tookMs, code: answer === undefined ? 'ETIMEOUT' : answer.code }
    },
    async resolve(name) {
      const found = await within(clock, resolver.resolve(name, 'any'), doctorProbeMs)
      if (found === undefined) return { reason: 'the name servers do not answer in time' }
      return found.failure ? { reason: found.failure.message } : { addresses: found.addresses }
    },
    exchange: (url) => exchange(clock, url),
    async verifyMail(url) {
      const outcome = await within(clock, verifySmtp({ url }), doctorProbeMs)
      const reason = `The mail server took longer than ${doctorProbeMs / 1_000} seconds.`
      return outcome ?? { ok: false, mayRetry: true, reason }
    },
    async sendMail(to) {
      const { smtpUrl: url, from } = settings.mail
      if (url === null || from === null) {
        return { ok: false, mayRetry: false, reason: 'mail.smtpUrl or mail.from is not set.' }
      }
      const mailer = createSmtpMailer({ url, clock, log: silentLog })
      const sender = mailboxOf(from)
      const domain = sender.address.split('@').at(-1)
      const envelope = {
        to,
        from: sender,
        messageId: `<${newId('request', clock.nowMs())}@${domain}>`,
        writtenAtMs: clock.wallMs(),
        letter: testLetter,
      }
      const signal = AbortSignal.timeout(limits.doctorLetterMs)
      const outcome = await mailer.send(envelope, { signal })
      mailer.close()
      return outcome
    },
  }
}

const testLetter = letterOf({
  language: 'en',
  subject: 'stillup can send letters',
  paragraphs: [
    'Somebody ran "stillup doctor --send-mail" with this address.',
    'That you read this shows that the settings of mail work.',
  ],
  footer: ['You need not do anything.'],
})
