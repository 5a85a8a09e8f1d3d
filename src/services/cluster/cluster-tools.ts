// What a person does to a cluster from the command line of a member.
import { randomBytes } from 'node:crypto'
import type { RunningClock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { silentLog } from '../../base/log/log.ts'
import type { JetStream } from '../../cluster/jetstream.ts'
import { createLease } from '../../cluster/lease.ts'
import { createMemberList } from '../../cluster/members.ts'
import { logStream } from '../../cluster/objects.ts'
import { type ClusterSetup, differences, initialize, recreateLog } from '../../cluster/setup.ts'
import { createStreamLog } from '../../cluster/stream-log.ts'
import { syncProblems } from '../../cluster/sync.ts'
import type { Settings } from '../../config/settings.ts'
import { openKeyring } from '../../seal/keyring.ts'
import { giveToOwner } from '../../store/folders.ts'
import { lockDirectory } from '../../store/lock.ts'
import { openDataCopy } from '../standby/data-copy.ts'
import {
  adviceOn,
  authorities,
  connectMember,
  differenceText,
  objectsOf,
  refusalIn,
  replicasOf,
  seedIn,
  syncProblemText,
} from './cluster-access.ts'
import { type SeenMember, seenMember } from './member-word.ts'

export interface ToolInputs {
  readonly settings: Settings
  readonly clock: RunningClock
  readonly version: string
}

export interface ClusterStatus {
  /** The member that has the lease; null if nobody has. */
  readonly leader: string | null
  /** The newest sequence of the log. */
  readonly last: number
  readonly members: readonly ListedMember[]
}

interface ListedMember extends SeenMember {
  /** How many records it lacked when it said how far it is. */
  readonly behind: number
}

const answerMsMax = 20_000
/** From when a member looks how far it is until a server has stored that. */
const saidMsMax = 1_000

async function connected<T>(
  { settings, clock }: ToolInputs,
  operatorFile: string | undefined,
  use: (jetstream: JetStream, signal: AbortSignal) => Promise<T>,
  msMax = answerMsMax,
): Promise<T> {
  const stopping = AbortSignal.timeout(msMax)
  const operator = operatorFile === undefined ? undefined : seedIn(operatorFile)
  try {
    const access = { clock, log: silentLog, stopping }
    const { jetstream } = await connectMember(settings, access, operator)
    try {
      return await use(jetstream, stopping)
    } finally {
      await jetstream.close()
    }
  } catch (cause) {
    const refusal = refusalIn(cause)
    if (refusal) throw refusal
    if (cause instanceof StartFailure || !stopping.aborted) throw cause
    const servers = settings.cluster.servers.join(', ')
    throw new StartFailure(exitCodes.failed, `no majority of ${servers} answers`, {
      hint: 'Look at the logs of the NATS servers: all but one must run, and reach one another.',
      cause,
    })
  }
}

/**
 * Makes what is missing in NATS, and lets the log begin with the data of this machine. A log that has records goes
 * on where more servers shall keep it, and is a failure otherwise.
 */
export function initializeCluster(
  inputs: ToolInputs,
  operatorFile: string | undefined,
): Promise<ClusterSetup & { readonly isBegun: boolean }> {
  return connected(inputs, operatorFile, async (jetstream, signal) => {
    const { settings } = inputs
    const { cell } = settings.cluster
    const objects = objectsOf(settings)
    const setup = await initialize(jetstream, { ...objects, signal })
    const last = await createStreamLog(jetstream, { cell }).last(signal)
    if (last > 0 && setup.widened.length > 0) return { ...setup, isBegun: false }
    if (last > 0) {
      throw new StartFailure(
        exitCodes.failed,
        `the log of the cluster ${cell} has records already`,
        {
          hint: 'Its members have the data. To begin again with that of this machine: stillup cluster reseed.',
        },
      )
    }
    await becomeFounder(inputs, last)
    return { ...setup, isBegun: true }
  })
}

/** Begins a new log with the data of this machine: all other members take a copy of it. */
export function reseedCluster(inputs: ToolInputs, operatorFile: string | undefined): Promise<void> {
  return connected(inputs, operatorFile, async (jetstream, signal) => {
    const objects = { ...objectsOf(inputs.settings), signal }
    await initialize(jetstream, objects)
    const { clock } = inputs
    const held = await createLease(jetstream, { ...objects, clock }).holder(signal)
    if (held !== null) {
      const { member } = seenMember('', held)
      throw new StartFailure(exitCodes.failed, `${member} leads: a new log would end it`, {
        hint: `Stop all members first. One that died has led for ${objects.leaseMs / 1_000} s more.`,
      })
    }
    await becomeFounder(inputs, (sequence) =>
      recreateLog(jetstream, { ...objects, after: sequence }),
    )
  })
}

/** Throws StartFailure if a daemon runs here. */
async function becomeFounder(
  { settings, clock, version }: ToolInputs,
  after: number | ((sequence: number) => Promise<number>),
): Promise<void> {
  const { dir, masterKeyFile } = settings.data
  const lock = await lockDirectory(dir, version)
  try {
    const keyring = openKeyring({ file: masterKeyFile, create: true, random: randomBytes })
    const copy = openDataCopy({ dir, keyring, clock, log: silentLog })
    try {
      if (typeof after !== 'number' && !copy.hadData) {
        throw new StartFailure(exitCodes.config, `${dir} has no data`, {
          hint: 'A new log begins with the data of this machine, and all others take a copy of it.',
        })
      }
      const { sequence } = copy.replica().position()
      const begins = typeof after === 'number' ? after : await after(sequence)
      await copy.replica().found(begins, randomBytes(32).toString('hex'))
      await copy.become('founder', null)
    } finally {
      await copy.close()
      giveToOwner(dir)
    }
  } finally {
    await lock.release()
  }
}

export function clusterStatus(inputs: ToolInputs): Promise<ClusterStatus> {
  return connected(inputs, undefined, async (jetstream, signal) => {
    const { cell, leaseSeconds } = inputs.settings.cluster
    const lease = createLease(jetstream, {
      cell,
      leaseMs: leaseSeconds * 1_000,
      clock: inputs.clock,
    })
    const held = await lease.holder(signal)
    const listed = await createMemberList(jetstream, { cell, member: '' }).list(signal)
    const last = await createStreamLog(jetstream, { cell }).last(signal)

    /** What it lacks may have come after it spoke. */
    async function behind(sequence: number, saidAtMs: number): Promise<number> {
      if (sequence >= last) return 0
      if (sequence === 0) return last
      const next = await jetstream.stored(logStream(cell), { seq: sequence + 1 }, signal)
      return next && next.atMs > saidAtMs - saidMsMax ? 0 : last - sequence
    }

    return {
      leader: held === null ? null : seenMember('', held).member,
      last,
      members: await Promise.all(
        listed.map(async ({ member, value, saidAtMs }) => {
          const seen = seenMember(member, value)
          return { ...seen, behind: await behind(seen.sequence, saidAtMs) }
        }),
      ),
    }
  })
}

/** What is not as it must be, and what to do about it, each in a line. */
export interface ClusterProblem {
  readonly seen: string
  readonly advice: string
}

/** Empty if all is well. `msMax`: until then the servers must have answered. */
export function checkCluster(
  inputs: ToolInputs,
  msMax = answerMsMax,
): Promise<readonly ClusterProblem[]> {
  const { settings } = inputs
  return connected(
    inputs,
    undefined,
    async (jetstream, signal) => {
      const wrong = await differences(jetstream, { ...objectsOf(settings), signal })
      const { monitorUrls } = settings.cluster
      const unsynced = await syncProblems(monitorUrls, authorities(settings), signal)
      return [
        ...wrong.map((difference) => ({
          seen: differenceText(difference),
          advice: adviceOn(difference),
        })),
        ...unsynced.map((found) => ({
          seen: syncProblemText(found),
          advice:
            found.kind === 'unreadable'
              ? 'Start the server, or correct cluster.monitorUrls.'
              : 'Correct its file (stillup cluster plan writes a right one), and restart it.',
        })),
        ...(monitorUrls.length === 0
          ? [
              {
                seen: 'whether the servers put on disk what they acknowledge is not known',
                advice: 'Set cluster.monitorUrls: it is empty.',
              },
            ]
          : []),
        ...(replicasOf(settings) < 3
          ? [
              {
                seen: 'cluster.servers names fewer than three servers: the log has one copy',
                advice: 'Run three servers, each on a machine of its own.',
              },
            ]
          : []),
      ]
    },
    msMax,
  )
}
