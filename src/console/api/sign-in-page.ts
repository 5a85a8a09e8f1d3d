// The script of the sign-in page, which works without it: it offers passkeys, by a button and among what the
// browser fills in.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { outward } from '../base/base-path.ts'

const path = outward('/api/v1/auth/passkeys/sign-in')
/** A question that waits in the browser is asked anew before its challenge ends. */
const askedAnewMs = 4 * 60_000

const part = document.querySelector<HTMLElement>('[data-passkey]')
const button = part?.querySelector('button')
const note = part?.querySelector('p')

async function ask<Data>(body?: object): Promise<Data> {
  const response = await fetch(path, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: body ? { 'Content-Type': 'application/json' } : {},
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`refused: ${response.status}`)
  return answer.data
}

function tell(text: string): void {
  if (!note) return
  note.textContent = text
  note.hidden = text === ''
}

/** The button's question is open: another one, also among what is filled in, would end it. */
let isPressed = false

/** `isFilledIn`: the browser offers passkeys where the address is typed, and waits. */
async function signIn(isFilledIn: boolean): Promise<void> {
  // The page has the words, in its language. What nobody asked for fails in silence.
  let words = isFilledIn ? undefined : part?.dataset.failed
  try {
    const optionsJSON = await ask<PublicKeyCredentialRequestOptionsJSON>()
    if (isFilledIn && isPressed) return
    const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: isFilledIn })
    words = part?.dataset.refused
    await ask({ credential })
    location.assign(part?.dataset.next ?? outward('/app'))
  } catch (error) {
    if (words !== undefined && !isGivenUp(error)) tell(words)
    if (isFilledIn) return
    isPressed = false
    // The button's question took the place of the one that waited.
    void offer()
  }
}

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}

let timer: ReturnType<typeof setTimeout> | undefined

async function offer(): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  clearTimeout(timer)
  timer = setTimeout(() => void offer(), askedAnewMs)
  await signIn(true)
}

if (part && button && browserSupportsWebAuthn()) {
  part.hidden = false
  button.addEventListener('click', () => {
    if (isPressed) return
    isPressed = true
    clearTimeout(timer)
    tell('')
    void signIn(false)
  })
  void offer()
}
