// MySQL servers that sign in as MySQL 8 does: those of go-mysql, one for each method, with TLS.
import { join } from 'node:path'
import type { Test } from 'tap'
import { builtFrom, builtWithGo, skipWithoutGo } from '../built-with-go.ts'
import { answersOn, childOf } from '../child-peer.ts'
import { freePort } from '../free-port.ts'

const program = builtFrom('mysql-methods', join(import.meta.dirname, 'mysql'))

const methods = ['mysql_native_password', 'sha256_password', 'caching_sha2_password'] as const
export type MysqlMethod = (typeof methods)[number]

/** Throws if they cannot be built. */
export function buildMysqlMethods(): string {
  return builtWithGo(program)
}

/** Why tests with them are skipped. */
export function skipWithoutMysqlMethods(): string | false {
  return skipWithoutGo(program)
}

/** Their ports by method; all sign in `ada` with the password `s3cret`, and answer each query with `n` 7. */
export async function startMysqlMethods(t: Test): Promise<ReadonlyMap<MysqlMethod, number>> {
  const ports = new Map<MysqlMethod, number>()
  for (const method of methods) ports.set(method, await freePort())
  const args = [...ports].flatMap(([method, port]) => [`127.0.0.1:${port}`, method])
  const child = childOf(t, buildMysqlMethods())
  await child.start(args, async () => {
    const open = await Promise.all([...ports.values()].map(answersOn))
    return open.every(Boolean)
  })
  return ports
}
