// Bodies of HTML forms, for the few routes that our pages post to.
import { Fault } from '../../base/fault.ts'
import { text } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { HeaderSource } from '../edge/exchange.ts'
import { documented } from '../routing/documented.ts'
import { parseQuery } from './query.ts'

export function isForm(from: HeaderSource): boolean {
  return /^application\/x-www-form-urlencoded(;|$)/i.test(from.header('content-type').trim())
}

/**
 * The fields as one object of texts; one that was left empty is absent, because a browser sends it
 * too. Throws invalid_parameter if a name occurs twice.
 */
export function formFields(body: Buffer): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of parseQuery(body.toString('utf8'))) {
    if (fields.has(name)) throw new Fault('invalid_parameter', `${name} came twice`)
    fields.set(name, value)
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''))
}

/** The password policy checks the minimum length, so that the form shows the problem on its page. */
export const formPassword = documented(text({ charsMax: limits.passwordCharsMax }), {
  minLength: limits.passwordCharsMin,
})
