// The settings as the API tells them, and what they are called.
import { type Data, fetchData } from '../../../api/client.ts'
import { words } from '../../../words/words.ts'

type AllSettings = Data<'settings.get'>
export type Setting = AllSettings['sections'][number]['settings'][number]

/** Settings that have a form of their own: a section of the file, or a part of one. */
interface SettingsGroup {
  readonly name: string
  readonly settings: readonly Setting[]
}

export interface GroupProps {
  readonly group: SettingsGroup
  readonly onSaved: () => void
}

/** What is set up first stands first. */
const order = [
  'mail',
  'address',
  'auth',
  'providers',
  'quotas',
  'backup',
  'bucket',
  'observer',
  'heartbeat',
  'rates',
  'dns',
]

export function groupsOf({ sections }: AllSettings): readonly SettingsGroup[] {
  const groups = new Map<string, Setting[]>(order.map((name) => [name, []]))
  for (const setting of sections.flatMap(({ settings }) => settings)) {
    const name = groupOf(setting.path)
    groups.set(name, [...(groups.get(name) ?? []), setting])
  }
  return [...groups]
    .map(([name, settings]) => ({ name, settings }))
    .filter(({ settings }) => settings.length > 0)
}

/** The group of a setting: the id of its form. */
export function groupOf(path: string): string {
  if (path.startsWith('http.rate')) return 'rates'
  if (path === 'auth.oidc') return 'providers'
  if (path.startsWith('backup.bucket')) return 'bucket'
  return path.startsWith('http.') ? 'address' : path.slice(0, path.indexOf('.'))
}

/** What replaces a secret; sent back, it stands for the stored one. */
export const secretMask = '••••'

export const readSettings = (signal: AbortSignal): Promise<AllSettings> =>
  fetchData('settings.get', { signal })

/** A text of a setting or section; undefined for one that nobody wrote one for yet. */
function textOf(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return texts[name]
}

export const groupTitle = (name: string): string =>
  textOf(words.value.settings.sections, name) ?? name

export const settingTitle = (path: string): string =>
  textOf(words.value.settings.titles, path) ?? path

/** Whether somebody wrote texts for it in the languages of the console. */
export const isTitled = (path: string): boolean =>
  textOf(words.value.settings.titles, path) !== undefined

/** A sentence about a setting in the language of the person; the API has an English one. */
export const settingHelp = (path: string): string | undefined =>
  textOf(words.value.settings.help, path)

/** The word of a choice, such as a mode of registration. */
export const choiceText = (path: string, choice: string): string =>
  textOf(words.value.settings.choices, `${path}.${choice}`) ?? choice

/** Whether the file or the environment sets it, so that it cannot be changed here. */
export const isLocked = ({ source }: Setting): boolean =>
  source === 'file' || source === 'environment'
