// The settings as the API tells them, and what they are called.
import { type Data, fetchData } from '../../../api/client.ts'
import { words } from '../../../words/words.ts'

type AllSettings = Data<'settings.get'>
type SettingsSection = AllSettings['sections'][number]
export type Setting = SettingsSection['settings'][number]

export interface SectionProps {
  readonly section: SettingsSection
  readonly onSaved: () => void
}

/** What replaces a secret; sent back, it stands for the stored one. */
export const secretMask = '••••'

export const readSettings = (signal: AbortSignal): Promise<AllSettings> =>
  fetchData('settings.get', { signal })

/** A text of a setting or section; undefined for one that nobody wrote one for yet. */
function textOf(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return texts[name]
}

export const sectionTitle = (name: string): string =>
  textOf(words.value.settings.sections, name) ?? name

export const settingTitle = (path: string): string =>
  textOf(words.value.settings.titles, path) ?? path

/** A sentence about a setting in the language of the person; the API has an English one. */
export const settingHelp = (path: string): string | undefined =>
  textOf(words.value.settings.help, path)

/** The word of a choice, such as a mode of registration. */
export const choiceText = (path: string, choice: string): string =>
  textOf(words.value.settings.choices, `${path}.${choice}`) ?? choice

/** Whether the file or the environment sets it, so that it cannot be changed here. */
export const isLocked = ({ source }: Setting): boolean =>
  source === 'file' || source === 'environment'
