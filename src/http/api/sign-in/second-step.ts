// The fields of a second factor, which several sign-ins have.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'

export const codeField = s.text({
  charsMin: 1,
  charsMax: limits.totpCharsMax,
  description: 'The code of the authenticator app, or a recovery code.',
})

export const ReauthenticatedOut = s.object({ token: s.anyText, freshUntil: s.isoTime })

export const rememberedField = s.optional(
  s.flag,
  'With a code: this browser needs none for the days of `auth.trustedDeviceDays`. It gets the cookie `trusted-device`.',
)
