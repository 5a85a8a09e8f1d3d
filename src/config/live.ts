// The settings that a reload changes: what holds now, and what a change of the file means.
import { isDeepStrictEqual } from 'node:util'
import { type LiveSettings, type Setting, type Settings, table } from './settings.ts'

/** Readers ask where they use a setting, or listen if they must act on a change. */
export interface Live {
  now(): LiveSettings
  /** Calls it after each reload that changed anything. */
  listen(run: (now: LiveSettings) => void): void
  /** The settings that wait for a restart, as `section.name`. */
  waiting(): readonly string[]
}

/** What a reload made of the settings that changed, as `section.name`. */
export interface SettingsChange {
  readonly applied: readonly string[]
  /** Different from what the daemon started with. */
  readonly needRestart: readonly string[]
}

/** The settings of which a reload applies changes, as `section.name`. */
export const livePaths: readonly string[] = settingPaths(true)
const fixedPaths: readonly string[] = settingPaths(false)

export type LiveControl = ReturnType<typeof createLive>

export function createLive(first: Settings) {
  const listeners: ((now: LiveSettings) => void)[] = []
  let atStart = first
  let current = liveOf(first)
  let waiting: readonly string[] = []

  return {
    /** Takes all of it, before anything listens: the console's values are known once the data is open. */
    begin(settings: Settings): void {
      atStart = settings
      current = liveOf(settings)
    },
    waiting: (): readonly string[] => waiting,
    now: (): LiveSettings => current,
    listen: (run: (now: LiveSettings) => void): void => void listeners.push(run),
    apply(next: Settings): SettingsChange {
      const applied = differences(livePaths, current, next)
      const needRestart = differences(fixedPaths, atStart, next)
      waiting = needRestart
      if (applied.length > 0) {
        current = liveOf(next)
        for (const run of listeners) run(current)
      }
      return { applied, needRestart }
    },
  }
}

function settingPaths(isLive: boolean): string[] {
  return Object.entries(table).flatMap(([section, names]) =>
    Object.entries(names)
      .filter(([, setting]: [string, Setting<unknown>]) => (setting.isLive === true) === isLive)
      .map(([name]) => `${section}.${name}`),
  )
}

function differences(paths: readonly string[], one: object, other: object): string[] {
  return paths.filter((path) => !isDeepStrictEqual(valueAt(one, path), valueAt(other, path)))
}

function valueAt(settings: object, path: string): unknown {
  const [section = '', name = ''] = path.split('.')
  return fieldOf(fieldOf(settings, section), name)
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

// The object has the names of the table, from which its type comes; TypeScript cannot follow the
// loop.
function liveOf(settings: Settings): LiveSettings {
  const found: Record<string, Record<string, unknown>> = {}
  for (const path of livePaths) {
    const [section = '', name = ''] = path.split('.')
    found[section] = { ...found[section], [name]: valueAt(settings, path) }
  }
  return found as LiveSettings
}
