// Case (l): what many HTTPS monitors take of the memory, in the program that people install.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testCa } from '../../../test/support/certificates.ts'
import { atMost, type CaseResult, info } from '../world/figure.ts'
import { memoryOf } from '../world/procfs.ts'
import { scrape, sumOf } from '../world/scrape.ts'
import type { Workplace } from '../world/workplace.ts'
import { startChecked } from './checked.ts'

export interface SecureMemoryOptions {
  readonly monitors: number
  readonly intervalSeconds: number
  readonly seconds: number
}

const memoryMbMax = 250
const bytesPerMb = 2 ** 20

export async function measureSecureMemory(
  work: Workplace,
  options: SecureMemoryOptions,
): Promise<CaseResult> {
  const { monitors, intervalSeconds, seconds } = options
  const caFile = join(work.root, 'ca.pem')
  writeFileSync(caFile, testCa)
  const { daemon, stop } = await startChecked(work, {
    name: 'secure-memory',
    count: monitors,
    intervalSeconds,
    isTls: true,
    isBinary: true,
    settings: { STILLUP_CHECKS_CA_FILE: caFile },
  })
  await sleep(seconds * 1_000)
  const memory = memoryOf(daemon.pid)
  const metrics = await scrape(daemon)
  await stop()
  const checks = sumOf(metrics, 'stillup_checks_total')
  const good = sumOf(metrics, 'stillup_checks_total', 'verdict="up"')
  return {
    title: `memory: ${monitors} HTTPS monitors at ${intervalSeconds} s, after ${seconds} s`,
    figures: [
      info('checks committed', checks, ''),
      atMost('checks not up', checks - good, '', 0),
      atMost('resident memory', memory.rssKb / 1_024, 'MB', memoryMbMax),
      info('of this, not pages of files', memory.anonKb / 1_024, 'MB'),
      info('JavaScript heap', sumOf(metrics, 'nodejs_heap_size_total_bytes') / bytesPerMb, 'MB'),
      info(
        'bytes outside of it',
        sumOf(metrics, 'nodejs_external_memory_bytes') / bytesPerMb,
        'MB',
      ),
    ],
    details: { options, memory },
  }
}
