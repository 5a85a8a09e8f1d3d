// The ports of mail servers, for checks and for letters.
import t from 'tap'
import { mailPorts } from '../../../src/domain/letters/mail-ports.ts'
import { poolOptions } from '../../../src/mail/smtp.ts'
import { parseSmtpUrl } from '../../../src/probes/smtp/smtp.ts'

t.test(
  'an address without a port is that of servers for it: 25 for checks, 587 for letters',
  async (t) => {
    t.match(parseSmtpUrl('smtp://mx.example.com'), { port: 25, isTls: false })
    t.match(parseSmtpUrl('smtps://mx.example.com'), { port: 465, isTls: true })
    t.match(poolOptions({ url: 'smtp://mail.example.com' }), { port: 587, secure: false })
    t.match(poolOptions({ url: 'smtps://mail.example.com' }), { port: 465, secure: true })
    t.same([...mailPorts].toSorted(), [25, 465, 587])
  },
)
