// The floor of a main thread whose checks are made in threads: for each check one timer, one message to a
// thread and its answer, and nothing else.
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { mainThreadSecondsOf } from '../world/procfs.ts'

export interface ThreadFloorInput {
  readonly threads: number
  readonly perSecond: number
  readonly seconds: number
}

/** CPU of the main thread for a check, in microseconds. */
export interface ThreadFloor {
  readonly microseconds: number
}

/** As large as what a check needs, and what it finds. */
const message = { url: 'https://127.0.0.1/', method: 'GET', headers: {}, expect: {}, orgId: 'org' }

async function measure({ threads, perSecond, seconds }: ThreadFloorInput): Promise<ThreadFloor> {
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url)))
  let answers = 0
  for (const worker of workers) {
    worker.on('message', () => {
      answers += 1
    })
  }
  const count = perSecond * seconds
  for (let at = 0; at < count; at += 1) {
    setTimeout(() => workers[at % threads]?.postMessage(message), Math.random() * seconds * 1_000)
  }
  const before = mainThreadSecondsOf(process.pid)
  while (answers < count) await sleep(1_000)
  const after = mainThreadSecondsOf(process.pid)
  for (const worker of workers) await worker.terminate()
  return { microseconds: (1e6 * (after - before)) / count }
}

if (isMainThread) process.send?.(await measure(JSON.parse(process.argv[2] ?? '')))
else parentPort?.on('message', (given) => parentPort?.postMessage(given))
