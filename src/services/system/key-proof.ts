// Verifies that the master key is the one that encrypted the stored secrets.
import type { Clock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import { hashToken } from '../../seal/tokens.ts'
import type { Store } from '../../store/store.ts'

const text = 'stillup'

/**
 * Throws StartFailure (78) if the key file was replaced: otherwise encrypted data would silently be
 * lost.
 */
export async function proveKey(store: Store, box: Box, clock: Clock): Promise<void> {
  const proof = store.secrets.get('key-proof')
  if (proof) return open(box, proof.sealed)
  const made = { sealed: box.seal(text), hash: hashToken(text), createdAtMs: clock.nowMs() }
  await store.write((tx) => store.secrets.put(tx, 'key-proof', made))
}

/** Call it only when nothing needs the older keys: the daemon then starts without them. */
export function resealProof(store: Store, box: Box): Promise<void> {
  return store.write((tx) => {
    const proof = store.secrets.get('key-proof')
    if (!proof || box.isCurrent(proof.sealed)) return
    store.secrets.put(tx, 'key-proof', { ...proof, sealed: box.seal(box.open(proof.sealed)) })
  })
}

function open(box: Box, sealed: string): void {
  try {
    box.open(sealed)
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause
    throw new StartFailure(exitCodes.config, 'the master key does not belong to this data', {
      hint:
        'Restore the key file (data.masterKeyFile). To add a new key, append it as a line. ' +
        'Remove an older line only after the log said "secrets are sealed with the newest key".',
      cause,
    })
  }
}
