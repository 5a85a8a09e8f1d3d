// The letter that shows an administrator that a mail server works.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface TestLetter {
  /** The address of the service. */
  readonly service: string
  /** The host of the mail server. */
  readonly server: string
  readonly language: Language
}

export function testLetter({ service, server, language }: TestLetter): Letter {
  const { subject, accepts, why } = textsOf('letters', language).test
  return letterOf({
    language,
    subject,
    paragraphs: [accepts({ server, service })],
    footer: [why],
  })
}
