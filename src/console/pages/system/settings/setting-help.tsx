// Below a setting: what it does, where it is set, and when a change takes effect.
import type { ComponentChildren } from 'preact'
import { words } from '../../../words/words.ts'
import { isLocked, type Setting, settingHelp } from './settings-model.ts'

export interface SettingHelpProps {
  readonly setting: Setting
  /** In place of the sentence about the setting. */
  readonly children?: ComponentChildren
}

export function SettingHelp({ setting, children }: SettingHelpProps) {
  const { settings: texts } = words.value
  const { path, doc, isLive, setIn, isStored } = setting
  const help = settingHelp(path)
  return (
    <>
      {children ?? (help === undefined ? <span lang="en">{doc}</span> : help)}
      {isLocked(setting) ? (
        <strong class="set-elsewhere">
          {texts.setIn({ place: setIn ?? '' })}
          {isStored && ` ${texts.isCovered}`}
        </strong>
      ) : (
        !isLive && ` ${texts.afterRestart}`
      )}
    </>
  )
}
