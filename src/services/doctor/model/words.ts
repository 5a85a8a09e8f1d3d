// Numbers as the findings of `stillup doctor` write them, and what several checks ask.
import { dirname } from 'node:path'
import type { FileFacts, FilesPort, OwnProcess } from './world.ts'

export function msText(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}

export function modeText(mode: number): string {
  return `0${(mode & 0o777).toString(8).padStart(3, '0')}`
}

/** The directory, or the nearest one above it that exists. */
export async function existingDir(files: FilesPort, dir: string): Promise<string> {
  const parent = dirname(dir)
  return parent === dir || (await files.look(dir)) !== 'missing' ? dir : existingDir(files, parent)
}

export function isFacts(found: FileFacts | 'missing' | 'denied'): found is FileFacts {
  return typeof found === 'object'
}

interface ContainerWorld {
  readonly files: Pick<FilesPort, 'look'>
  readonly own: Pick<OwnProcess, 'env'>
}

/** Docker, Podman, Kubernetes and systemd-nspawn leave one of these. */
export async function isContainer({ files, own }: ContainerWorld): Promise<boolean> {
  const marks = await Promise.all(
    ['/.dockerenv', '/run/.containerenv', '/run/systemd/container'].map((path) => files.look(path)),
  )
  const { container, KUBERNETES_SERVICE_HOST } = own.env
  return marks.some((mark) => mark !== 'missing') || !!container || !!KUBERNETES_SERVICE_HOST
}
