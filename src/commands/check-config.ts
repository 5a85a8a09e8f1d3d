// stillup check-config: reports every problem in the settings; --defaults prints the commented
// file.
import { exitCodes } from '../base/exit.ts'
import { exampleFile } from '../config/example.ts'
import { loadSettings, problemLine } from '../config/load.ts'
import { defineCommand } from './model/command.ts'

export const command = defineCommand({
  about:
    'It looks where `serve` would: --config, $STILLUP_CONFIG, ./stillup.toml, ' +
    '/etc/stillup/stillup.toml, and the variables.',
  options: { defaults: { about: 'print the commented file with every default instead' } },
  examples: [
    ['stillup check-config -c /etc/stillup/stillup.toml', 'checks a file before a restart'],
    ['stillup check-config --defaults > stillup.toml', 'begins a settings file'],
  ],
  exits: { 0: 'a start would accept the settings', 78: 'it would not' },
  async run({ host, configPath, options, show, isJson }) {
    if (options.defaults) {
      const text = exampleFile().trimEnd()
      show({ text: `${text}\n` }, text)
      return exitCodes.ok
    }
    const { env, cwd, isTerminal } = host
    const loaded = loadSettings({ configPath, env, cwd, isTerminal })
    if ('problems' in loaded) {
      const { problems } = loaded
      if (isJson) show({ isValid: false, problems })
      else for (const problem of problems) host.complain(problemLine(problem))
      return exitCodes.config
    }
    const { source, missing } = loaded
    const inConsole = missing.map(
      (one) => `set in the console, or a start fails: ${problemLine(one)}`,
    )
    const warnings = [...loaded.warnings, ...inConsole]
    if (!isJson) for (const warning of warnings) host.complain(`note: ${warning}`)
    show(
      { isValid: true, source, warnings },
      `The settings are valid (${source ?? 'no file; defaults and variables'}).`,
    )
    return exitCodes.ok
  },
})
