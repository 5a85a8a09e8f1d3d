// The API of the second factor: enrol with a QR code, confirm with a code, turn off with one.
import { anyText, listOf, object, text } from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { del, post, resource } from '../../routing/route.ts'

const CodeIn = object({
  code: text({
    charsMin: 1,
    charsMax: limits.totpCharsMax,
    description: 'A code of the authenticator app; to turn it off, a recovery code works too.',
  }),
})

const EnrolmentOut = object({ secret: anyText, otpauthUrl: anyText, qrSvg: anyText })
const RecoveryOut = object({ recoveryCodes: listOf(anyText, limits.recoveryCodes) })

export const totp = resource('/auth/totp', {
  about: 'The second factor: codes of an authenticator app, and recovery codes.',
  enrol: post('/', {
    who: { user: true, sudo: true },
    summary: 'Create a secret for an authenticator app; it takes effect once confirmed',
    out: EnrolmentOut,
    message: 'Scan the picture, then confirm with a code',
  }).handledBy(({ caller }, { factors }) => factors.enrol(caller)),
  confirm: post('/confirm', {
    who: { user: true },
    summary: 'Turn the second factor on with a code from the app',
    example: { code: '492039' },
    body: CodeIn,
    out: RecoveryOut,
    message: 'Second factor turned on; keep the recovery codes, they are not shown again',
  }).handledBy(({ caller, body }, { factors }) => factors.confirm(caller, body.code)),
  turnOff: del('/', {
    who: { user: true, sudo: true },
    summary: 'Turn the second factor off, with a code from the app or a recovery code',
    example: { code: '492039' },
    body: CodeIn,
    message: 'Second factor turned off',
  }).handledBy(({ caller, body }, { factors }) => factors.turnOff(caller, body.code)),
})
