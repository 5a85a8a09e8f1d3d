// A member whose data is no part of the log begins with a copy of the one that leads.
import { copyLeader } from '../../actors/standby/copy-leader.ts'
import { createLeaderLink } from '../../actors/standby/leader-link.ts'
import type { Clock } from '../../base/clock.ts'
import { StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import type { Lease } from '../../cluster/lease.ts'
import type { WireToDaemon } from '../../net/daemon-wire.ts'
import type { Keyring } from '../../seal/keyring.ts'
import { addressProof } from '../../seal/log-seal.ts'
import type { DataCopy } from '../standby/data-copy.ts'
import { seenMember } from './member-word.ts'

export interface BeginAnew {
  readonly clock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
  readonly version: string
  /** The name of this machine. */
  readonly member: string
  readonly keyring: Keyring
  readonly copy: DataCopy
  readonly lease: Lease
  /** A wire to any member. */
  readonly openWire: () => WireToDaemon
}

/**
 * Takes a copy of the member that leads. Resolves with a reason if none could be taken. Throws StartFailure if only
 * a person can help, and rejects with the reason of `stopping`.
 */
export async function beginAnew(deps: BeginAnew): Promise<'done' | 'nobody leads' | 'failed'> {
  const { clock, log, stopping, version, member, keyring, copy, lease, openWire } = deps
  const held = await lease.holder(stopping)
  if (held === null) return 'nobody leads'
  const { url, urlProof } = seenMember('', held)
  if (urlProof !== addressProof(keyring, url)) {
    log.warn('who has the lease has another master key: no copy is taken', { leader: url })
    return 'failed'
  }
  const wire = openWire()
  try {
    log.info('this member begins with a copy of all data', { leader: url })
    await copyLeader({
      clock,
      link: createLeaderLink({ wire, url, member, version }),
      replace: (file, pieces) => copy.replace(file, pieces, 'member', url),
      signal: stopping,
    })
    return 'done'
  } catch (error) {
    if (error instanceof StartFailure) throw error
    stopping.throwIfAborted()
    log.warn('no copy could be taken', { leader: url, reason: errorText(error) })
    return 'failed'
  } finally {
    wire.close()
  }
}
