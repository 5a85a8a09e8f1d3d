// A new password as a form in a browser sends it.
import { text } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { documented } from '../routing/documented.ts'

/** How long it must be is the policy's to say: a form gets its answer on the page. */
export const formPassword = documented(text({ charsMax: limits.passwordCharsMax }), {
  minLength: limits.passwordCharsMin,
})
