// The tab's side of event streams: follows the stream that all tabs of the browser share, while the
// tab is visible.

import { outward } from '../base/base-path.ts'
import { createStreamHub, type StreamMessage, type WantedOrgId } from './stream-hub.ts'

/** A tab that is hidden for this long leaves its stream, and catches up when it is shown again. */
const hiddenMs = 5_000

/** The worker asks every ten seconds. One that is silent for longer is gone, and another one starts. */
const silentMs = 25_000

/** `follow` changes the organization; null ends it. `prepare` connects a visible tab before it is known which one is wanted. */
export function followStreams(tell: (message: StreamMessage) => void) {
  let wanted: WantedOrgId = null
  let isHidden = document.visibilityState === 'hidden'
  let hiding: ReturnType<typeof setTimeout> | undefined
  let say: ((wanted: WantedOrgId) => void) | undefined

  const sayWanted = () => say?.(isHidden ? null : wanted)

  function hear(message: StreamMessage): void {
    if (message.kind === 'ask') sayWanted()
    // Other messages were sent before the organization changed.
    else if (message.orgId === wanted && !isHidden) tell(message)
  }

  function connect(): void {
    say ??= connectTab(hear, sayWanted)
    sayWanted()
  }

  function look(): void {
    isHidden = false
    if (say || wanted !== null) connect()
  }

  function leave(): void {
    isHidden = true
    sayWanted()
  }

  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding)
    if (document.visibilityState === 'hidden') hiding = setTimeout(leave, hiddenMs)
    else look()
  })
  addEventListener('pagehide', leave)
  // The browser may show a page again that was left.
  addEventListener('pageshow', ({ persisted }) => persisted && look())

  function follow(orgId: WantedOrgId): void {
    // Even for the same organization: who is signed in may have changed.
    wanted = null
    sayWanted()
    wanted = orgId
    if (!isHidden) look()
  }

  return { follow, prepare: () => isHidden || connect() }
}

/** `onConnected` is called after each new connection except the first: what the tab wants is said again. */
function connectTab(
  hear: (message: StreamMessage) => void,
  onConnected: () => void,
): (wanted: WantedOrgId) => void {
  let say: (wanted: WantedOrgId) => void = () => {}
  let silence: ReturnType<typeof setTimeout> | undefined
  let hasOwnStream = false

  /** A tab has a stream of its own where there is no shared worker, as in Chrome on Android. */
  function useOwnStream(): void {
    if (hasOwnStream) return
    hasOwnStream = true
    clearTimeout(silence)
    say = createStreamHub()(hear)
  }

  function useWorker(attemptsLeft: number): void {
    const worker = new SharedWorker(outward(streamsWorkerUrl), 'stillup.streams')
    const { port } = worker
    function fail(): void {
      port.onmessage = null
      port.postMessage(null)
      port.close()
      if (attemptsLeft > 0) useWorker(attemptsLeft - 1)
      else useOwnStream()
      onConnected()
    }
    const awaitQuestion = () => {
      clearTimeout(silence)
      silence = setTimeout(fail, silentMs)
    }
    // For example after an update, when the file is gone.
    worker.onerror = () => {
      if (hasOwnStream) return
      useOwnStream()
      onConnected()
    }
    port.onmessage = ({ data }: MessageEvent<StreamMessage>) => {
      if (data.kind === 'ask') {
        attemptsLeft = workerAttempts
        awaitQuestion()
      }
      hear(data)
    }
    say = (wanted) => port.postMessage(wanted satisfies WantedOrgId)
    awaitQuestion()
  }

  if (typeof SharedWorker === 'undefined') useOwnStream()
  else useWorker(workerAttempts)
  return (wanted) => say(wanted)
}

/** How often a worker that does not answer is started again. */
const workerAttempts = 1
