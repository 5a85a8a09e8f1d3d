// Passkeys of the browser: what the API asks for is made or used by it. The library that speaks with the
// browser is loaded when a passkey is first needed.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { fetchData } from './client.ts'

/** The API's answers are what browsers take, described less strictly. */
const asCreation = (options: object) => options as PublicKeyCredentialCreationOptionsJSON
const asRequest = (options: object) => options as PublicKeyCredentialRequestOptionsJSON

export const hasPasskeys = () => 'PublicKeyCredential' in globalThis

/** Whether the person closed the question of the browser, which is no problem to tell. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)
}

/** Whether the device has a passkey of this account already. */
export function isKnownAlready(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError'
}

/** Makes a passkey on the device, and adds it to the account. `totp` is '' without a second factor. */
export async function addPasskey(name: string, totp: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = asCreation(
    await fetchData('passkeys.beginAdding', { body: totp === '' ? {} : { totp } }),
  )
  const credential = await startRegistration({ optionsJSON })
  await fetchData('passkeys.add', { body: { name, credential } })
}

/** Confirms who is there. */
export async function confirmWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = asRequest(await fetchData('passkeys.beginConfirming', {}))
  const credential = await startAuthentication({ optionsJSON })
  await fetchData('passkeys.confirm', { body: { credential } })
}

/** Signs in anybody who has a passkey here. */
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = asRequest(await fetchData('passkeys.beginSignIn', {}))
  const credential = await startAuthentication({ optionsJSON })
  await fetchData('passkeys.signIn', { body: { credential } })
}
