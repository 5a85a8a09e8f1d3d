// stillup native-extract: puts the native code of the binary where the daemon loads it from, so that
// the daemon itself need not be able to write there.
import { resolve } from 'node:path'
import { isSea } from 'node:sea'
import { exitCodes } from '../base/exit.ts'
import { extractAddons, installedPlace } from '../base/native/addons.ts'
import { defineCommand } from './model/command.ts'
import { CommandFailure } from './model/failure.ts'

export const command = defineCommand({
  about:
    'The binary finds it in lib/stillup/native beside its own directory. install.sh does this, as root; without it the daemon writes the code to its own data directory or cache.',
  args: {
    dir: {
      about: 'where to, instead of there; then set STILLUP_NATIVE_DIR to it for the daemon',
      isOptional: true,
      completes: 'directory',
    },
  },
  async run({ host, args: { dir }, show }) {
    if (!isSea()) {
      throw new CommandFailure(exitCodes.failed, 'only the binary holds native code to extract')
    }
    const target = resolve(host.cwd, dir ?? installedPlace(process.execPath))
    const files = extracted(target)
    show({ files }, ...files)
  },
})

/** A directory that is refused is reported in one line. */
function extracted(target: string): string[] {
  try {
    return extractAddons(target)
  } catch (cause) {
    if (!(cause instanceof Error) || 'code' in cause) throw cause
    throw new CommandFailure(exitCodes.config, cause.message, { cause })
  }
}
