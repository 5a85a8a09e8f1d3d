// The fields of the forms at the entrance.
import { limits } from '../domain/limits/limits.ts'
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import type { ActionInput } from './action-page.ts'

export function emailInput(language: Language): ActionInput {
  return {
    name: 'email',
    label: textsOf('entrance', language).fields.email,
    type: 'email',
    autocomplete: 'username',
    charsMax: limits.emailCharsMax,
  }
}

export function passwordInput(language: Language): ActionInput {
  return {
    name: 'password',
    label: textsOf('entrance', language).fields.password,
    type: 'password',
    autocomplete: 'current-password',
    charsMax: limits.passwordCharsMax,
  }
}

/** A password that is chosen, with the rule for it. */
export function newPasswordInput(language: Language, label: string): ActionInput {
  const { passwordHint } = textsOf('entrance', language).fields
  return {
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    charsMin: limits.passwordCharsMin,
    charsMax: limits.passwordCharsMax,
    hint: passwordHint({ count: limits.passwordCharsMin }),
  }
}

export function organizationInput(language: Language): ActionInput {
  const { organization, organizationHint } = textsOf('entrance', language).fields
  return {
    name: 'organizationName',
    label: organization,
    type: 'text',
    autocomplete: 'organization',
    charsMax: limits.nameCharsMax,
    isOptional: true,
    hint: organizationHint,
  }
}

export function setupTokenInput(language: Language, isOptional: boolean): ActionInput {
  const { setupToken, setupTokenHint } = textsOf('entrance', language).fields
  return {
    name: 'setupToken',
    label: setupToken,
    type: 'text',
    autocomplete: 'off',
    charsMax: limits.setupTokenCharsMax,
    isOptional,
    hint: setupTokenHint,
  }
}

/** The code of the second factor, and whether this device is asked for one again. */
export function codeInputs(language: Language, trustDays: number): readonly ActionInput[] {
  const { code, codeHint, remember } = textsOf('entrance', language).fields
  const codeInput: ActionInput = {
    name: 'totp',
    label: code,
    type: 'text',
    autocomplete: 'one-time-code',
    charsMax: limits.totpCharsMax,
    hint: codeHint,
  }
  if (trustDays === 0) return [codeInput]
  const label = remember({ days: trustDays })
  return [
    codeInput,
    { name: 'isRemembered', label, type: 'checkbox', autocomplete: 'off', charsMax: 0 },
  ]
}
