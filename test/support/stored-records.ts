// What a store has on disk, record by record, to compare copies with.
import type { Env } from '../../src/store/engine/env.ts'

/** Every record of every table that is not local, as it is on disk. */
export function storedRecords({
  databases,
  locals,
}: Pick<Env, 'databases' | 'locals'>): readonly string[] {
  return [...databases]
    .filter(([name]) => !locals.has(name))
    .flatMap(([name, database]) =>
      [...database.getRange({ start: [] })].map(
        ({ key, value }) => `${name} ${key.join(' ')} ${value.toString('hex')}`,
      ),
    )
    .sort()
}
