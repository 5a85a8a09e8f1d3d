// The schema of a new password in an HTML form.
import { text } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { documented } from '../routing/documented.ts'

/**
 * The password policy checks the minimum length, so that the form shows the problem on its page.
 */
export const formPassword = documented(text({ charsMax: limits.passwordCharsMax }), {
  minLength: limits.passwordCharsMin,
})
