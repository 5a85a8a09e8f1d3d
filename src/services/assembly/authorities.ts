// The certificate authorities that checks trust, as checks.caFile was read last.
import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../../base/log/log.ts'
import type { Live } from '../../config/live.ts'
import { addedAuthorities } from '../../net/http-client/authorities.ts'

export interface AuthoritiesDeps {
  readonly live: Live
  readonly log: Log
}

/** Throws StartFailure if the file cannot be read or has no certificates. */
export function createAuthorities({ live, log }: AuthoritiesDeps) {
  function fromFile(): readonly string[] | undefined {
    const { caFile } = live.now().checks
    return caFile === null ? undefined : addedAuthorities(caFile, 'checks.caFile')
  }
  let authorities = fromFile()

  return {
    /** The authorities besides Node's; undefined: none. */
    ofChecks: (): readonly string[] | undefined => authorities,

    /** Reads the file again. Where that fails, what was trusted before stays. */
    read(): void {
      try {
        const found = fromFile()
        // Connections with the same array share a TLS context.
        if (!isDeepStrictEqual(found, authorities)) authorities = found
      } catch (error) {
        log.error('the authorities of checks stay as they were: they cannot be read', { error })
      }
    },
  }
}
