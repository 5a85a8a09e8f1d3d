// Reads what the data is to another machine's from a file that no daemon has open, without LMDB.

import { inspectDataFile, reading } from '../data-file/inspect.ts'
import { walkFile } from '../data-file/walk.ts'
import { type Leadership, leadershipName, leadershipRole } from '../tables/system/leadership.ts'
import { recordOf } from './verify.ts'

/** Undefined: there has been no other machine, or no data. Throws StartFailure if it cannot be read. */
export function storedLeadership(dir: string): Leadership | undefined {
  const file = inspectDataFile(dir)
  let found: Leadership | undefined
  if (!file) return found
  reading(file.path, (descriptor) =>
    walkFile(
      descriptor,
      file.meta,
      (record) => {
        found = recordOf<Leadership>(record, leadershipRole) ?? found
      },
      undefined,
      leadershipName,
    ),
  )
  return found
}
