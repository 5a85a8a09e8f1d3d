// Below a setting: what it does, where it is set, and when a change takes effect.
import { punctuation, words } from '../../../words/words.ts'
import { isLocked, isTitled, type Setting, settingHelp } from './settings-model.ts'

export interface SettingHelpProps {
  readonly setting: Setting
  /** The group says already that a change waits for a restart. */
  readonly isRestartSaid?: boolean
}

export function SettingHelp({ setting, isRestartSaid = false }: SettingHelpProps) {
  const { settings: texts } = words.value
  const { path, doc, isLive, setIn, isStored } = setting
  return (
    <>
      {settingHelp(path) ?? (isTitled(path) ? '' : <span lang="en">{doc}</span>)}
      {punctuation.value.gap}
      {isLocked(setting) ? (
        <strong>
          {texts.setIn({ place: setIn ?? '' })}
          {isStored && punctuation.value.gap + texts.isCovered}
        </strong>
      ) : (
        !isLive && !isRestartSaid && texts.afterRestart
      )}
    </>
  )
}
