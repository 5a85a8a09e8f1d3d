// A thread that posts so many parts of 100 kB, each with how many were taken when it was made.
import { workerData } from 'node:worker_threads'
import { postApart } from '../../src/base/apart/post-apart.ts'

let taken = 0

async function run(): Promise<void> {
  for (let at = 0; at < Number(workerData); at += 1) {
    const part = { at, madeBefore: taken, pid: process.pid, filling: 'x'.repeat(100_000) }
    await postApart(JSON.stringify(part))
    taken += 1
  }
}

void run()
