// What bare `pg` takes for a check of PostgreSQL: a connection, a sign-in, a query, and an end.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface PgFloorInput {
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  readonly query: string
  readonly perSecond: number
  readonly seconds: number
}

export interface PgFloor {
  /** CPU of 1,000 checks. */
  readonly cpuSeconds: number
}

async function check({ query, perSecond, seconds, ...login }: PgFloorInput): Promise<void> {
  const client = new pg.Client({ ...login, host: '127.0.0.1', ssl: false })
  await client.connect()
  await client.query(query)
  await client.end()
}

async function measure(input: PgFloorInput): Promise<PgFloor> {
  const count = input.perSecond * input.seconds
  const run = async (): Promise<void> => {
    const checks: Promise<void>[] = []
    for (let at = 0; at < count; at += 1) {
      checks.push(sleep((at / input.perSecond) * 1_000).then(() => check(input)))
    }
    await Promise.all(checks)
  }
  // Once for the compiler, as the daemon has had its first round by then.
  await run()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { cpuSeconds: (user + system) / 1e6 / (count / 1_000) }
}

process.send?.(await measure(JSON.parse(process.argv[2] ?? '')))
process.disconnect?.()
