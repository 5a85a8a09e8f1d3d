// The log: one line per entry, as JSON or readable, after secrets have been removed.
import { pino } from 'pino'
import { prettyLine } from './log-pretty.ts'
import { redacted } from './redact.ts'

const logLevels = ['debug', 'info', 'warn', 'error'] as const
type LogLevel = (typeof logLevels)[number]

export type LogFields = Readonly<Record<string, unknown>>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Returns a log that adds these fields to each entry. */
  child(fields: LogFields): Log
}

/** A log whose level can be changed. */
export interface MainLog extends Log {
  /** The level of its children changes, too. */
  setLevel(level: LogLevel): void
}

export interface LogOptions {
  readonly level: LogLevel
  /** `pretty` is for a person at a terminal, `json` for programs. */
  readonly format: 'pretty' | 'json'
  /** Colours the level in `pretty`. */
  readonly color?: boolean
  /** Receives each line with its newline. Default: standard error. */
  readonly write?: (line: string) => void
}

const bare: LogFields = {}

/** Writes synchronously: an entry is written when the call returns, even just before an exit. */
export function createLog(options: LogOptions): MainLog {
  // A destination in this thread: pino's transports need a worker and separate files.
  const write = options.write ?? standardError()
  const stream =
    options.format === 'json'
      ? { write }
      : { write: (line: string) => write(prettyLine(line, options.color ?? false)) }
  const logger = pino(
    {
      base: null,
      level: options.level,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
  return {
    ...wrap(logger, bare),
    setLevel(level) {
      logger.level = level
    },
  }

  function wrap(sink: pino.Logger, always: LogFields): Log {
    // Fields are merged before redaction, so that none bypasses it.
    const entry =
      (level: LogLevel) =>
      (message: string, fields: LogFields = bare) => {
        if (sink.isLevelEnabled(level)) sink[level](redacted({ ...always, ...fields }), message)
      }
    return {
      debug: entry('debug'),
      info: entry('info'),
      warn: entry('warn'),
      error: entry('error'),
      child: (fields) => wrap(sink, { ...always, ...fields }),
    }
  }
}

function standardError(): (line: string) => void {
  // Commands use standard output. A full pipe blocks instead of losing lines.
  const destination = pino.destination({ fd: 2, sync: true })
  return (line) => {
    destination.write(line)
  }
}

/** Discards everything, for tools and tests without a log. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
}

/** The same log, and how many errors it was told, at whatever level it writes. */
export function countedLog(log: Log): { readonly log: Log; readonly errors: () => number } {
  let errors = 0
  const counting = (inner: Log): Log => ({
    ...inner,
    error(message, fields) {
      errors += 1
      inner.error(message, fields)
    },
    child: (fields) => counting(inner.child(fields)),
  })
  return { log: counting(log), errors: () => errors }
}
