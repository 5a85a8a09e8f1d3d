// The settings of the file and the environment over those of the console, which are kept sealed.
import type { Log } from '../../base/log/log.ts'
import type { LiveControl, SettingsChange } from '../../config/live.ts'
import {
  type ConsoleValues,
  type GivenSettings,
  type Problem,
  problemLine,
  type UsableSettings,
} from '../../config/load.ts'
import type { Settings } from '../../config/settings.ts'
import type { Box } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface SettingsLayersDeps {
  readonly store: Store
  readonly box: Box
  readonly log: Log
  readonly live: LiveControl
  /** What the file and the environment set, as they were at the start. */
  readonly given: GivenSettings
  /** Fits settings to what this machine can do. */
  readonly fit: (settings: Settings) => Settings
}

export type SettingsLayers = ReturnType<typeof createSettingsLayers>

export function createSettingsLayers(deps: SettingsLayersDeps) {
  const { store, box, log, live, fit } = deps
  let { given } = deps
  let settled = usable(values())
  let current = fit(settled.settings)

  function values(): ConsoleValues {
    const record = store.consoleSettings.readable()
    if (!record) return {}
    const opened = box.openOrUndefined(record.sealed)
    if (opened !== undefined) return JSON.parse(opened)
    log.error('the settings of the console cannot be decrypted: the file and the defaults hold')
    return {}
  }

  /** What the console says of a section is left out where the section has a problem with it. */
  function usable(stored: ConsoleValues): UsableSettings {
    const settled = given.withConsole(stored)
    const wrong = new Set(settled.problems.map(({ path }) => sectionOf(path)))
    const right = Object.entries(stored).filter(([path]) => !wrong.has(sectionOf(path)))
    const isLess = right.length < Object.keys(stored).length
    if (!isLess) return settled
    const problems = settled.problems.map(problemLine)
    log.error('settings of the console are left out, because they do not fit', { problems })
    return usable(Object.fromEntries(right))
  }

  function settle(): Settings {
    settled = usable(values())
    current = fit(settled.settings)
    return current
  }

  const revision = (): number => store.consoleSettings.readable()?.revision ?? 1
  const apply = (): SettingsChange => live.apply(settle())

  live.begin(current)
  return {
    values,
    given: () => given,

    /** What is set now, also where it waits for a restart. */
    settings: (): Settings => current,

    /** What is wrong also with what the console sets. */
    problems: (): readonly Problem[] => settled.problems,

    /** Takes what the file and the environment set now, unless something is wrong with it. */
    reload(next: GivenSettings): SettingsChange | { readonly problems: readonly Problem[] } {
      const before = given
      given = next
      const { problems } = usable(values())
      if (problems.length === 0) return apply()
      given = before
      return { problems }
    },

    /** It begins with 1, like others. */
    revision,

    /** Keeps the values of the console, and applies them once they are on disk. */
    put(tx: Tx, next: ConsoleValues, nowMs: number): void {
      const record = { updatedAtMs: nowMs, revision: revision() + 1 }
      const sealed = box.seal(JSON.stringify(next))
      store.consoleSettings.put(tx, { sealed, ...record })
      tx.afterCommit(apply)
    },
  }
}

function sectionOf(path: string): string {
  return path.slice(0, path.indexOf('.'))
}
