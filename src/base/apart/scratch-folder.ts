// Folders for what is unpacked or copied for a while. Each is named for its process, so that what a process left
// that was killed is found and removed by the next one.
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folderName = 'stillup-import-'

export interface ScratchFolder {
  readonly path: string
  /** Removes it, with what is in it. */
  remove(): Promise<void>
}

/** Makes an empty one in `parent`, which is the folder of TMPDIR if nothing is said. */
export async function makeScratchFolder(parent = tmpdir()): Promise<ScratchFolder> {
  sweepScratchFolders(parent)
  const path = await mkdtemp(join(parent, `${folderName}${process.pid}-`))
  // A process that was just ended may still write.
  const removeNow = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  process.on('exit', removeNow)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      process.off('exit', removeNow)
    },
  }
}

/** Removes those whose process has ended. Never throws: what cannot be removed stays. */
export function sweepScratchFolders(parent = tmpdir()): void {
  try {
    for (const name of readdirSync(parent)) {
      if (!name.startsWith(folderName)) continue
      const path = join(parent, name)
      const [pid = ''] = name.slice(folderName.length).split('-', 1)
      // Others may make folders there, too.
      const isOurs = lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.()
      if (isOurs && isEnded(Number(pid))) rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // The folder may be missing, or somebody else removes them, too.
  }
}

/** A number that is in use again is taken for the same process: its folder stays until that one has ended. */
function isEnded(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
