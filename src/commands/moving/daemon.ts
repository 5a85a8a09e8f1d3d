// Asks the running daemon for exports and imports, and says plainly what is wrong in a document.

import { clip } from '../../base/clip.ts'
import { exitCodes } from '../../base/exit.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { limits } from '../../domain/limits/limits.ts'
import { ControlRefused, type ControlRequest } from '../../store/control.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'
import type { CommandOptions, Host } from '../model/host.ts'
import { settingsFor } from '../model/settings.ts'
import { shown } from '../people/columns.ts'

export type Ask = (request: ControlRequest) => Promise<Readonly<Record<string, unknown>>>

/**
 * Throws CommandFailure if the settings are wrong; `ask` does if no daemon runs, or it refuses.
 * `document`: what is asked about, so that a refusal can name its items.
 */
export function daemonOf(host: Host, options: CommandOptions, document?: unknown): Ask {
  settingsFor(host, options)
  return async (request) => {
    try {
      const answer = await askRunning(host, options, request, limits.importMsMax)
      if (!isRecord(answer)) throw new Error('the daemon answers in an unknown form')
      return answer
    } catch (error) {
      throw explained(error, document)
    }
  }
}

/** The problems of a refused document, field by field. */
function explained(error: unknown, document: unknown): unknown {
  const refused = error instanceof CommandFailure ? error.cause : undefined
  if (refused instanceof RangeError) {
    const message = 'the document is nested too deeply, and nothing was imported'
    return new CommandFailure(exitCodes.failed, message, { cause: refused })
  }
  if (!(refused instanceof ControlRefused) || refused.problems.length === 0) return error
  const lines = refused.problems.map(
    ({ pointer, message }) => `  ${pointer || '/'} ${message}${nameAt(document, pointer)}`,
  )
  const text = `the document was refused, and nothing was imported:\n${lines.join('\n')}`
  return new CommandFailure(exitCodes.failed, text, { cause: refused })
}

/** ` ("Site")`: the name of the item that a pointer leads into, if it has one. */
function nameAt(document: unknown, pointer: string): string {
  const [, list = '', index = ''] = pointer.split('/')
  const items = isRecord(document) ? document[list] : undefined
  const item: unknown = Array.isArray(items) && index !== '' ? items[Number(index)] : undefined
  if (!isRecord(item) || typeof item.name !== 'string') return ''
  return ` ("${shown(clip(item.name, limits.nameCharsMax))}")`
}
