// The letter that tells a person the result of their identity verification.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface VerificationEnd {
  readonly state: 'approved' | 'rejected' | 'expired'
  /** The explanation that the reviewer gives to the person. */
  readonly reason: string | null
  readonly service: string
  readonly language: Language
}

export function verificationEnded({ state, reason, service, language }: VerificationEnd): Letter {
  const texts = textsOf('letters', language).verification
  const { subject, about } = texts[state]
  return letterOf({
    language,
    subject,
    paragraphs: [
      about({ service }),
      ...(reason === null ? [] : [texts.reason({ reason })]),
      ...(state === 'approved' ? [] : [texts.again]),
    ],
    footer: [texts.erased, texts.otherwise],
  })
}
