// What a standby asks the machine that it follows (domain/standby/protocol.ts), and what a promoted one tells it.
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { isRecord } from '../../base/schema/pick.ts'
import {
  type RoleAnswer,
  recordsHoldMs,
  type SealedRecord,
  type SnapshotFile,
  type SnapshotState,
  standbyPath,
  unpackRecords,
} from '../../domain/standby/protocol.ts'
import type { RawWireAnswer, WireToDaemon } from '../../net/daemon-wire.ts'
import type { LogPosition } from '../../store/engine/redo.ts'
import { anotherMasterKey } from './what-ends.ts'

export interface LeaderLinkDeps {
  readonly wire: WireToDaemon
  /** The address of the leader, without a slash at the end. */
  readonly url: string
  /** The name of this machine. */
  readonly member: string
  readonly version: string
}

const answerMsMax = 30_000

export type LeaderLink = ReturnType<typeof createLeaderLink>

/**
 * Each question rejects with a reason in words if there is no answer, and with a StartFailure (78) if
 * only a person can help.
 */
export function createLeaderLink({ wire, url, member, version }: LeaderLinkDeps) {
  async function ask(
    path: string,
    signal: AbortSignal,
    more: { readonly holdMs?: number; readonly body?: object } = {},
  ): Promise<RawWireAnswer> {
    const { holdMs = 0, body } = more
    const limit = AbortSignal.timeout(holdMs + answerMsMax)
    const answer = await wire.receive({
      method: body ? 'POST' : 'GET',
      url: `${url}${standbyPath}${path}`,
      body: body && JSON.stringify(body),
      signal: AbortSignal.any([signal, limit]),
    })
    if (answer.status === 401) throw anotherMasterKey(url)
    return answer
  }

  function unexpected({ status, bytes }: RawWireAnswer): Error {
    const said: unknown = parsed(bytes)
    const detail = isRecord(said) && typeof said.detail === 'string' ? `: ${said.detail}` : ''
    return new Error(`it answers ${status}${detail}`)
  }

  return {
    url,

    /**
     * What follows the position; `isHeld`: when there is something, or after some time. Undefined: only
     * a snapshot helps.
     */
    async records(
      { sequence, hash }: Pick<LogPosition, 'sequence' | 'hash'>,
      isHeld: boolean,
      signal: AbortSignal,
    ): Promise<readonly SealedRecord[] | undefined> {
      const after = String(sequence)
      const query = new URLSearchParams({ after, hash, member, version, isHeld: String(isHeld) })
      const answer = await ask(`/records?${query}`, signal, { holdMs: isHeld ? recordsHoldMs : 0 })
      if (answer.status === 204) return []
      if (answer.status === 409) return undefined
      if (answer.status === 404) {
        throw new StartFailure(exitCodes.config, `${url} lets no standby follow it`, {
          hint: 'Set cluster.standby = true in its settings, and restart it.',
        })
      }
      const records = answer.status === 200 ? unpackRecords(answer.bytes) : undefined
      if (!records) throw unexpected(answer)
      return records
    },

    async snapshot(signal: AbortSignal): Promise<SnapshotState> {
      const answer = await ask('/snapshot', signal)
      const said: unknown = parsed(answer.bytes)
      if (answer.status !== 200 || !isRecord(said)) throw unexpected(answer)
      // The leader is the same program, and has the master key.
      return said as unknown as SnapshotState
    },

    async *pieces({ id, bytes }: SnapshotFile, signal: AbortSignal): AsyncIterable<Buffer> {
      let offset = 0
      while (offset < bytes) {
        const answer = await ask(`/snapshot/${id}?offset=${offset}`, signal)
        if (answer.status !== 200 || answer.bytes.length === 0) throw unexpected(answer)
        offset += answer.bytes.length
        yield answer.bytes
      }
    },

    /** What it is; undefined if another program answers there. */
    role: async (signal: AbortSignal): Promise<RoleAnswer | undefined> =>
      roleIn(await ask('/role', signal)),

    /** Says that this machine leads. Undefined if another program answers there. */
    async tell(
      leader: { readonly epoch: number; readonly url: string },
      signal: AbortSignal,
    ): Promise<RoleAnswer | undefined> {
      return roleIn(await ask('/leader', signal, { body: leader }))
    },
  }
}

function roleIn({ status, bytes }: RawWireAnswer): RoleAnswer | undefined {
  const said: unknown = parsed(bytes)
  const isAnswer = status === 200 && isRecord(said) && typeof said.role === 'string'
  return isAnswer ? (said as unknown as RoleAnswer) : undefined
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
