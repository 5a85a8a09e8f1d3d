// A log entry for a person: time, level, message, fields; always one line.

const colors: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 }

// A message from outside may contain newlines or terminal commands: they are escaped.
const controls = /[\p{Cc}\u2028\u2029]/gu

function escaped(text: string): string {
  return text.replace(controls, (control) => {
    if (control === '\n') return '\\n'
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

interface LoggedError {
  readonly name: string
  readonly message: string
  readonly stack?: string
}

function isLoggedError(value: object): value is LoggedError {
  return 'stack' in value && 'message' in value && typeof value.stack === 'string'
}

function errorText({ name, message, stack = '' }: LoggedError): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  const places = frames.slice(0, 3).map((line) => line.trim())
  return [`${name}: ${message}`, ...places].join(' ')
}

function valueText(value: unknown): string {
  if (typeof value === 'string') {
    const text = escaped(value)
    return text === '' || /[\s"=]/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text
  }
  if (typeof value === 'object' && value !== null && isLoggedError(value)) {
    return valueText(errorText(value))
  }
  return escaped(JSON.stringify(value))
}

/** Turns one JSON entry into one readable line. */
export function prettyLine(json: string, color: boolean): string {
  const { time, level, message, ...fields } = JSON.parse(json) as Record<string, unknown>
  const label = String(level).toUpperCase().padEnd(5)
  const shown = color ? `\u001b[${colors[String(level)] ?? 0}m${label}\u001b[0m` : label
  const texts = Object.entries(fields).map(
    ([name, value]) => `${escaped(name)}=${valueText(value)}`,
  )
  const clock = String(time).slice(11, 23)
  return `${[clock, shown, escaped(String(message)), ...texts].join(' ')}\n`
}
