// Generates the commented settings file from the table: every setting with its default.
import { type Setting, table, variableOf } from './settings.ts'

const widthMax = 98

const head = `# Every setting of stillup with its default. Remove the # to change one.
#
# The file is looked for in this order: --config, $STILLUP_CONFIG, ./stillup.toml,
# /etc/stillup/stillup.toml. No file is required. An environment variable overrides the file;
# a list in a variable is separated by commas. A secret can also be read from a file: set
# <variable>_FILE to its path. Relative paths start at the working directory.
# Check a file: stillup check-config --config FILE
#
# A reload (systemctl reload stillup, or SIGHUP) applies the settings marked "Reload: yes". The others
# need a restart, and so does a variable, except that files named by <variable>_FILE are read again.`

const reloadMark = '# Reload: yes.'

function wrapped(text: string): string[] {
  const lines: string[] = []
  let line = '#'
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > widthMax) {
      lines.push(line)
      line = '#'
    }
    line += ` ${word}`
  }
  return [...lines, line]
}

// TOML reads JSON's texts, numbers and lists of them, but not its objects.
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null && 'host' in value && 'port' in value) {
    return JSON.stringify(`${value.host}:${value.port}`)
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, one]) => `${name} = ${literal(one)}`)
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  return JSON.stringify(value)
}

function block(section: string, name: string, setting: Setting<unknown>): string {
  const { kind, fallback, fallbackDoc, doc, example, isSecret, isLive } = setting
  const variable = variableOf(section, name)
  const lines = [
    ...wrapped(doc),
    ...wrapped(`Allowed: ${kind.allowed}.`),
    ...wrapped(`Variable: ${variable}${isSecret ? ` or ${variable}_FILE` : ''}.`),
    ...(isLive ? [reloadMark] : []),
  ]
  if (fallback !== null) return [...lines, `#${name} = ${literal(fallback)}`].join('\n')
  const none = wrapped(`Default: ${fallbackDoc}.`)
  return [...lines, ...none, `#${name} = ${literal(example)}`].join('\n')
}

/** The content of config/stillup.toml. */
export function exampleFile(): string {
  const sections = Object.entries(table).map(([section, settings]) => {
    const blocks = Object.entries(settings).map(([name, setting]) => block(section, name, setting))
    return [`[${section}]`, ...blocks].join('\n\n')
  })
  return `${[head, ...sections].join('\n\n')}\n`
}
