// The fields of the forms at the entrance.
import { limits } from '../domain/limits/limits.ts'
import type { AreaTexts } from '../texts/texts.ts'
import type { ActionInput } from './action-page.ts'

export type EntranceTexts = AreaTexts<'entrance'>
type FieldTexts = Pick<EntranceTexts, 'fields'>

/** The inputs of these forms, with the words of a language. */
export function entranceInputs({ fields }: FieldTexts) {
  return {
    email: {
      name: 'email',
      label: fields.email,
      type: 'email',
      autocomplete: 'username',
      charsMax: limits.emailCharsMax,
    },
    password: {
      name: 'password',
      label: fields.password,
      type: 'password',
      autocomplete: 'current-password',
      charsMax: limits.passwordCharsMax,
    },
    /** A password that is chosen, with the rule for it. */
    newPassword: {
      name: 'password',
      label: fields.choosePassword,
      type: 'password',
      autocomplete: 'new-password',
      charsMin: limits.passwordCharsMin,
      charsMax: limits.passwordCharsMax,
      hint: fields.passwordHint({ count: limits.passwordCharsMin }),
    },
    organization: {
      name: 'organizationName',
      label: fields.organization,
      type: 'text',
      autocomplete: 'organization',
      charsMax: limits.nameCharsMax,
      isOptional: true,
      hint: fields.organizationHint,
    },
    setupToken: {
      name: 'setupToken',
      label: fields.setupToken,
      type: 'text',
      autocomplete: 'off',
      charsMax: limits.setupTokenCharsMax,
      hint: fields.setupTokenHint,
    },
    /** The code of the second factor. */
    code: {
      name: 'totp',
      label: fields.code,
      type: 'text',
      autocomplete: 'one-time-code',
      charsMax: limits.totpCharsMax,
      hint: fields.codeHint,
    },
  } satisfies Record<string, ActionInput>
}

/** The code of the second factor, and whether this device is asked for one again; for 0 days it always is. */
export function codeInputs(words: FieldTexts, trustDays: number): readonly ActionInput[] {
  const { code } = entranceInputs(words)
  if (trustDays === 0) return [code]
  const label = words.fields.remember({ days: trustDays })
  return [code, { name: 'isRemembered', label, type: 'checkbox', autocomplete: 'off', charsMax: 0 }]
}
