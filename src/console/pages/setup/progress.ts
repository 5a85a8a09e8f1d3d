// How far the first run is, kept in the browser tab: after a reload it goes on where it was. What was
// stored meanwhile is found again at the service.
import { type Data, fetchData } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { orgId, ownDraftKey, session } from '../../stores/session.ts'

export type Step = 'account' | 'monitor' | 'channel' | 'page' | 'done'

export interface Progress {
  readonly step: Step
  /** The address that was tried last. */
  readonly address?: string
  readonly monitorId?: string | undefined
  readonly pageUrl?: string
}

export type StoredMonitor = Data<'monitors.get'>

/** What the steps have stored. */
export interface StoredProgress {
  readonly monitor?: StoredMonitor | undefined
}

const keyOf = () => ownDraftKey('first run')

/** The progress of the person who is signed in. */
export function readProgress(): Progress {
  const text = session.peek() ? sessionStorage.getItem(keyOf()) : null
  if (text !== null) return JSON.parse(text)
  return { step: session.peek() ? 'monitor' : 'account' }
}

export function keepProgress(progress: Progress): void {
  sessionStorage.setItem(keyOf(), JSON.stringify(progress))
}

/** Reads what is still there. Throws ApiProblem if the service does not answer. */
export async function findStored({ address, monitorId }: Progress): Promise<StoredProgress> {
  const path = { orgId: orgId() }
  if (monitorId === undefined) return { monitor: await monitorAt(address) }
  return { monitor: await orUndefined(fetchData('monitors.get', { path: { ...path, monitorId } })) }
}

/** A reload may have come between the storing of a monitor and the note of its id. */
async function monitorAt(address: string | undefined): Promise<StoredMonitor | undefined> {
  if (address === undefined) return undefined
  const newest = await fetchData('monitors.list', {
    path: { orgId: orgId() },
    query: { limit: 20 },
  })
  return newest.find(({ url }) => url === address)
}

async function orUndefined<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined
    throw error
  }
}
