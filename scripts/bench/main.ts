// npm run bench: what the daemon does on this machine, in one table and one JSON file.
//
//   npm run bench                                               every case, about eight minutes
//   npm run bench -- checks --monitors 5000 --interval 20 --seconds 60
//   npm run bench -- push pages --connections 100 --dir /srv/disk
//   npm run bench -- start --monitors 100000 --node-args=--trace-gc
import { mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { type Case, casesOf } from './cases.ts'
import { readOptions } from './options.ts'
import { type CaseResult, isKept, tableOf } from './world/figure.ts'
import { openWorkplace } from './world/workplace.ts'

const root = join(import.meta.dirname, '../..')
const tmpfsType = 0x01021994

function factsOf(dir: string) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    version,
    at: new Date().toISOString(),
    node: process.version,
    kernel: release(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? '',
    memoryMb: Math.round(totalmem() / 2 ** 20),
    dir,
    isInMemory: statfsSync(dir).type === tmpfsType,
  }
}

/** Null where it could not be measured; the others go on. */
async function measure(dir: string, one: Case): Promise<CaseResult | null> {
  // Each case begins in a place of its own: what the last one left is no part of it.
  const work = openWorkplace(dir)
  try {
    const result = await one.run(work)
    console.log(tableOf(result))
    return result
  } catch (error) {
    console.error(`\n${one.name}: not measured\n`, error, work.logs())
    return null
  } finally {
    work.close()
  }
}

function write(facts: ReturnType<typeof factsOf>, results: readonly CaseResult[]): string {
  const folder = join(root, 'bench-results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${facts.at.replaceAll(':', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ facts, results }, null, 2)}\n`)
  return file
}

/** What is asked for; null, and a word about it, where the command line is wrong. */
function readCases() {
  try {
    const options = readOptions()
    return { options, cases: casesOf(options) }
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : error}`)
    return null
  }
}

async function main(): Promise<number> {
  const asked = readCases()
  if (!asked) return 64
  const { options, cases } = asked
  const facts = factsOf(options.dir)
  console.log(`stillup ${facts.version}, Node ${facts.node}, ${facts.cores} × ${facts.processor}`)
  if (facts.isInMemory) console.log(`${facts.dir} is in memory: commits cost no disk (--dir)`)
  const results: CaseResult[] = []
  for (const one of cases) {
    const result = await measure(options.dir, one)
    if (result) results.push(result)
  }
  const file = write(facts, results)
  const figures = results.flatMap((result) => result.figures)
  const missed = figures.filter((figure) => isKept(figure) === false)
  const goals = figures.filter(({ goal }) => goal)
  console.log(`\n${missed.length} of ${goals.length} goals missed; written to ${file}`)
  return results.length === cases.length ? 0 : 1
}

process.exitCode = await main()
