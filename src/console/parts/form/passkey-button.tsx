// A button that proves who somebody is by a passkey, in place of what is typed.

import { hasPasskeys, isGivenUp, isKnownAlready } from '../../api/passkeys.ts'
import { ApiProblem } from '../../api/problem.ts'
import { words } from '../../words/words.ts'
import { tellProblem } from '../dialog/toast.tsx'

interface PasskeyButtonProps {
  readonly prove: () => Promise<void>
  readonly onDone: () => Promise<void> | void
}

export function PasskeyButton({ prove, onDone }: PasskeyButtonProps) {
  if (!hasPasskeys()) return null
  async function use(): Promise<void> {
    const problem = await problemOfPasskey(prove)
    if (problem === undefined) await onDone()
    else if (problem !== null) tellProblem(problem)
  }
  return (
    <button type="button" onClick={() => void use()}>
      {words.value.shell.signIn.passkey}
    </button>
  )
}

/**
 * What went wrong with a passkey, to be told; undefined if nothing did, and null if the person gave up.
 * Throws what the service refused.
 */
export async function problemOfPasskey(
  work: () => Promise<void>,
): Promise<string | null | undefined> {
  const { passkeyKnown, passkeyFailed, passkeyUnknown } = words.value.shell.signIn
  try {
    await work()
    return undefined
  } catch (error) {
    if (isGivenUp(error)) return null
    if (isKnownAlready(error)) return passkeyKnown
    if (!(error instanceof ApiProblem)) return passkeyFailed
    if (error.code === 'invalid_credentials') return passkeyUnknown
    throw error
  }
}
