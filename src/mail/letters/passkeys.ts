// Letters about passkeys: one was added or removed, or all were removed by the operator.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

interface PasskeyNotice {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
  /** How the person called it. */
  readonly name: string
  readonly language: Language
}

type PasskeysNotice = Omit<PasskeyNotice, 'name'>

/** Announces a further way to sign in. */
export function passkeyAddedLetter({ name, ...notice }: PasskeyNotice): Letter {
  const { language } = notice
  const { subject, added, signsIn } = textsOf('letters', language).passkey.added
  const paragraphs = [added({ ...placeOf(notice), name }), signsIn]
  return letterOf({ language, subject, paragraphs, footer: footer(notice) })
}

/** Announces that a passkey no longer works. */
export function passkeyRemovedLetter({ name, ...notice }: PasskeyNotice): Letter {
  const { language } = notice
  const { subject, removed, noLonger } = textsOf('letters', language).passkey.removed
  const paragraphs = [removed({ ...placeOf(notice), name }), noLonger]
  return letterOf({ language, subject, paragraphs, footer: footer(notice) })
}

/** Announces that no passkey works any more. */
export function passkeysResetLetter(notice: PasskeysNotice): Letter {
  const { language } = notice
  const { subject, removed, next } = textsOf('letters', language).passkey.reset
  const paragraphs = [removed(placeOf(notice)), next]
  return letterOf({ language, subject, paragraphs, footer: footer(notice) })
}

function placeOf({ baseUrl, atMs, language }: PasskeysNotice) {
  return { time: utcTimeText(atMs, language), service: baseUrl }
}

function footer({ baseUrl, language }: PasskeysNotice): string[] {
  const { why, passkey } = textsOf('letters', language)
  return [why.account({ service: baseUrl }), passkey.otherwise]
}
