// Whether somebody who pastes the first steps can run `node`: an installed binary needs none.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { isContainer } from '../services/doctor/model/words.ts'
import type { FilesPort } from '../services/doctor/model/world.ts'
import type { Host } from './model/host.ts'

/** A container counts as without one: it reaches no receiver outside, and its image has no shell. */
export async function isNodeHere(
  env: Host['env'],
  files: Pick<FilesPort, 'look'>,
): Promise<boolean> {
  if (await isContainer({ files, own: { env } })) return false
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder !== '')
  const found = folders.map((folder) =>
    access(join(folder, 'node'), constants.X_OK).then(
      () => true,
      () => false,
    ),
  )
  return (await Promise.all(found)).includes(true)
}
