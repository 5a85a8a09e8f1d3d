// The letter that shows an administrator that a mail server works.
import { type Letter, letterOf } from '../letter.ts'

export interface TestLetter {
  /** The address of the service. */
  readonly service: string
  /** The host of the mail server. */
  readonly server: string
}

export function testLetter({ service, server }: TestLetter): Letter {
  return letterOf({
    subject: 'Test letter from stillup',
    paragraphs: [`The mail server ${server} accepts letters from ${service}.`],
    footer: ['You get this letter because you tried the settings of this installation.'],
  })
}
