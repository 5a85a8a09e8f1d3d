// The way of a member to its cluster: the connection, and whether the cluster is as it has to be.
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { getCACertificates } from 'node:tls'
import type { RunningClock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { ApiRefusal, apiCodes, type JetStream } from '../../cluster/jetstream.ts'
import { LogUnanswered } from '../../cluster/log.ts'
import { inboxOf, isClusterName } from '../../cluster/objects.ts'
import { type ClusterDifference, differences } from '../../cluster/setup.ts'
import { type SyncProblem, syncProblems } from '../../cluster/sync.ts'
import { defaultBaseUrl, type Settings } from '../../config/settings.ts'
import { isLoopbackUrl } from '../../domain/sign-in/oidc.ts'
import { addedAuthorities } from '../../net/http-client/authorities.ts'
import { isReadByOthers } from '../../seal/keyring.ts'

export interface ClusterAccess {
  readonly jetstream: JetStream
  readonly cell: string
  /** The name of this machine. */
  readonly member: string
  /** Where the others reach it, without a slash at the end. */
  readonly url: string
}

interface AccessInputs {
  readonly clock: RunningClock
  readonly log: Log
  /** Aborted when the process is to end. */
  readonly stopping: AbortSignal
}

/**
 * Connects, however long it takes; with the seed of an operator, as that one. Throws StartFailure if a file is
 * missing, or a server does not know the key.
 */
export async function connectMember(
  settings: Settings,
  { clock, log, stopping }: AccessInputs,
  operatorSeed?: string,
): Promise<ClusterAccess> {
  const { servers, nkeyFile, cell } = settings.cluster
  if (servers.length === 0) {
    throw new StartFailure(exitCodes.config, 'there is no cluster: cluster.servers is empty')
  }
  const member = memberName(settings)
  const url = memberUrl(settings)
  // NATS is loaded only where there is a cluster.
  const { connectCluster } = await import('../../cluster/connect.ts')
  log.info('connecting to the cluster', { cell, member, servers })
  try {
    const jetstream = await connectCluster(
      {
        ...{ servers, clock, name: `stillup ${member}` },
        ...(operatorSeed === undefined
          ? { seed: seedIn(nkeyFile), inbox: inboxOf(cell, member) }
          : { seed: operatorSeed }),
        ca: authorities(settings),
      },
      stopping,
    )
    return { jetstream, cell, member, url }
  } catch (error) {
    stopping.throwIfAborted()
    if (error instanceof StartFailure) throw error
    throw new StartFailure(exitCodes.config, `the cluster cannot be joined: ${errorText(error)}`, {
      hint: 'See cluster.servers and cluster.nkeyFile.',
      cause: error,
    })
  }
}

function memberName({ cluster }: Settings): string {
  const name = cluster.member ?? hostname().split('.')[0] ?? ''
  if (isClusterName(name)) return name
  throw new StartFailure(exitCodes.config, `${name} cannot be the name of a member`, {
    hint: 'Set cluster.member to letters, digits, - and _.',
  })
}

/** Throws StartFailure if the members of other machines would ask themselves, or could be overheard. */
function memberUrl({ cluster, http }: Settings): string {
  const url = (cluster.memberUrl ?? http.baseUrl ?? defaultBaseUrl(http.listen)).replace(/\/$/, '')
  const isOneMachine = cluster.servers.every((server) => isLoopbackUrl(new URL(server)))
  if (isOneMachine || (url.startsWith('https:') && !isLoopbackUrl(new URL(url)))) return url
  throw new StartFailure(exitCodes.config, `the other members cannot reach this one at ${url}`, {
    hint: 'Set cluster.memberUrl to an https address that leads to this machine alone.',
  })
}

/** All authorities to trust; undefined: those of Node. */
export function authorities({ cluster: { caFile } }: Settings): readonly string[] | undefined {
  if (caFile === null) return undefined
  return [...getCACertificates('default'), ...addedAuthorities(caFile, 'cluster.caFile')]
}

/** The seed of an NKey. Throws StartFailure if others can read the file. */
export function seedIn(file: string | null): string | undefined {
  if (file === null) return undefined
  try {
    if (isReadByOthers(statSync(file))) {
      throw new StartFailure(exitCodes.config, `${file}: others can read it`, {
        hint: `chmod 600 ${file}`,
      })
    }
    const [seed = ''] = /\bSU[A-Z2-7]{56}\b/.exec(readFileSync(file, 'utf8')) ?? []
    if (seed !== '') return seed
    throw new StartFailure(exitCodes.config, `${file} holds no NKey seed, which begins with SU`)
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(exitCodes.config, `${file} cannot be read: ${errorText(error)}`)
  }
}

/** How many servers keep each stream. */
export const replicasOf = ({ cluster }: Settings) => (cluster.servers.length >= 3 ? 3 : 1)

/** The settings of the streams, from those of the daemon. */
export const objectsOf = (settings: Settings) => ({
  cell: settings.cluster.cell,
  leaseMs: settings.cluster.leaseSeconds * 1_000,
  replicas: replicasOf(settings),
})

/** Throws StartFailure (78) if the cluster is not as it has to be, with every difference. */
export async function mustBeRight(
  settings: Settings,
  { jetstream }: ClusterAccess,
  { log, stopping }: AccessInputs,
): Promise<void> {
  const { monitorUrls } = settings.cluster
  const signal = stopping
  // First: a server without JetStream answers nothing of what comes next.
  for (const found of await syncProblems(monitorUrls, authorities(settings), signal)) {
    const text = syncProblemText(found)
    if (found.kind === 'unreadable') log.warn(text)
    else {
      throw new StartFailure(exitCodes.config, text, {
        hint: 'In its file: jetstream { sync_interval: always }.',
      })
    }
  }
  const wrong = await differences(jetstream, { ...objectsOf(settings), signal })
  if (wrong.length === 0) return
  const all = wrong.map(differenceText)
  throw new StartFailure(exitCodes.config, `the cluster is not as it must be: ${all.join('; ')}`, {
    hint: [...new Set(wrong.map(adviceOn))].join(' '),
  })
}

export const differenceText = ({ stream, name, wanted, found }: ClusterDifference) =>
  `${stream} ${name}: ${found} instead of ${wanted}`

/** What to do about a stream that is not as it must be. */
export function adviceOn({ name }: ClusterDifference): string {
  if (name === 'stream') {
    return (
      'A new cluster is made on the member that has the data: stillup cluster init --help. ' +
      'If there was one before, see “The log was lost” in docs/cluster.md.'
    )
  }
  if (name === 'num_replicas') {
    return (
      'It was made for one NATS server, and cluster.servers names three. ' +
      'Let all three keep it: stillup cluster init --operator FILE.'
    )
  }
  return 'Change the stream with the nats command, or the setting.'
}

/** Why the servers refuse, and what to do about it; undefined if the error is not that they did. */
export function refusalIn(error: unknown): StartFailure | undefined {
  // What was asked again until the end is trouble that may pass, except for one.
  const isAsked = error instanceof LogUnanswered
  const cause = isAsked ? error.cause : error
  if (!(cause instanceof ApiRefusal)) return undefined
  if (isAsked && cause.code !== apiCodes.notEnabled) return undefined
  const hints: Readonly<Record<number, string>> = {
    [apiCodes.notEnabled]: 'In the files of the NATS servers: jetstream { … }.',
    [apiCodes.notClustered]:
      'They do not form a cluster of NATS: see “From one NATS server to three” in docs/cluster.md.',
    [apiCodes.noPeers]: diskHint,
    [apiCodes.noStorage]: diskHint,
  }
  return new StartFailure(exitCodes.config, `the NATS servers refuse: ${cause.message}`, {
    hint: hints[cause.code] ?? 'Look at their logs.',
    cause,
  })
}

const diskHint =
  'Each of the NATS servers must run, with room for the log on its disk and in its max_file_store. ' +
  '`stillup cluster plan` writes files of that kind.'

/** What is wrong with a server, in words. */
export function syncProblemText({ url, kind, detail }: SyncProblem): string {
  const what = {
    unreadable: `does not say whether it puts on disk what it acknowledges: ${detail}`,
    notSynced: `puts on disk what it acknowledges only ${detail}`,
    noJetStream: 'has no JetStream',
    otherCluster: `is of another cluster: ${detail}`,
  }[kind]
  return `the NATS server at ${url} ${what}`
}
