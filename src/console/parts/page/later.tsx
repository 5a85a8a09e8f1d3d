// A part that is loaded when it is first shown. If it cannot be, it says so: a tab that was opened
// before an update asks for files that are gone.
import type { ComponentType } from 'preact'
import lazy from 'preact-iso/lazy'
import { words } from '../../words/words.ts'
import { Reload } from './reload.tsx'

export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazy<ComponentType<Props>>(() => load().catch(() => NotLoaded))
}

const NotLoaded = () => <Reload about={words.value.common.reload.notLoaded} />
