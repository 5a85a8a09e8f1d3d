// The versions of what the program stands on, and whether its native parts load here.
import { fine, problem } from '../model/finding.ts'
import type { DoctorCheck } from '../model/world.ts'

export const versionsCheck: DoctorCheck = {
  name: 'versions',
  async run(world) {
    const { own, version } = world
    const library = own.glibcVersion === null ? 'no glibc' : `glibc ${own.glibcVersion}`
    const place = `${own.architecture}, ${library}, Linux ${own.kernelVersion}`
    const natives = await world.natives()
    return [
      fine('stillup', `${version} on Node ${own.nodeVersion} (${place})`),
      ...natives.map(({ name, version: its, failure }) =>
        failure === null
          ? fine(name, its)
          : problem(name, `${its} does not load: ${failure}`, adviceFor(failure)),
      ),
    ]
  },
}

function adviceFor(failure: string): string {
  if (/GLIBC_/.test(failure)) {
    return 'This system is too old for it: Debian 12, Ubuntu 24.04 or later are not.'
  }
  if (/failed to map segment|noexec/.test(failure)) {
    return 'It lies on a file system mounted with noexec: set STILLUP_NATIVE_DIR to another place.'
  }
  return 'Install stillup again, for this kind of machine.'
}
