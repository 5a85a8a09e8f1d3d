// Why a copy cannot go on by itself: only a person can help.
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { SealBroken } from '../../seal/box.ts'
import { UnknownRedo } from '../../store/engine/redo.ts'

/** The failure of a record that was not opened or not applied. `source`: whose record it is. */
export function whatEnds(cause: unknown, source: string): StartFailure {
  if (cause instanceof SealBroken) return anotherMasterKey(source, cause)
  if (cause instanceof UnknownRedo) {
    return new StartFailure(exitCodes.config, `${source} is newer than this standby`, {
      hint: 'Upgrade this machine: a standby is upgraded before its leader.',
      cause,
    })
  }
  return new StartFailure(exitCodes.io, `the copy cannot be written: ${errorText(cause)}`, {
    cause,
  })
}

export function anotherMasterKey(source: string, cause?: unknown): StartFailure {
  return new StartFailure(exitCodes.config, `${source} has another master key`, {
    hint: 'Copy its master key file to this machine (data.masterKeyFile).',
    cause,
  })
}
