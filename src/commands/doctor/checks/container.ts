// Whether this is a container, and whether it runs as one should.
import { type CheckFinding, fine, skipped, warning } from '../model/finding.ts'
import { mountOf, mountsIn } from '../model/mounts.ts'
import type { DoctorCheck, FilesPort, OwnProcess, World } from '../model/world.ts'

export const containerCheck: DoctorCheck = {
  name: 'container',
  async run(world) {
    if (!(await isContainer(world))) return [skipped('container', 'not in a container')]
    // One that boots systemd, as LXC and nspawn do, is a machine and not the image.
    if ((await world.files.look('/run/systemd/system')) !== 'missing') {
      return [skipped('container', 'systemd runs here: this is no container of the image')]
    }
    return [user(world), await root(world)]
  },
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

function user({ own: { uid } }: World): CheckFinding {
  return uid === 0
    ? warning('user', 'root', 'Run the image with its own user: remove --user or user: root.')
    : fine('user', `uid ${uid}, not root`)
}

async function root({ files }: World): Promise<CheckFinding> {
  const mounts = mountsIn((await files.read('/proc/self/mountinfo')) ?? '')
  return mountOf(mounts, '/')?.isReadOnly
    ? fine('root file system', 'read-only')
    : {
        ...fine('root file system', 'writable'),
        advice: 'It can be read-only: --read-only --tmpfs /tmp.',
      }
}
