// The letter to the administrators with news of the service itself.
import { type Letter, letterOf } from '../letter.ts'

/** `text`: whole sentences. */
export function noticeLetter({
  title,
  text,
}: {
  readonly title: string
  readonly text: string
}): Letter {
  return letterOf({ subject: title, paragraphs: [text], footer })
}

const footer = ['You get this letter because you administer this installation.']
