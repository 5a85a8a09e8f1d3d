// The menu of a row or a card: what else can be done with it, and last its removal, which asks before.
import { useSignal } from '@preact/signals'
import { words } from '../../words/words.ts'
import { AskDialog, type Question } from './ask-button.tsx'
import { Menu, type MenuProps } from './menu.tsx'

/** The title, the text and the confirmation are those of the question before the removal. */
interface RemovalMenuProps extends Pick<MenuProps, 'items'>, Omit<Question, 'text'> {}

export function RemovalMenu({ items, ...question }: RemovalMenuProps) {
  const { actions } = words.value.common
  const isAsking = useSignal(false)
  const removal = {
    text: actions.remove,
    isDanger: true,
    onSelect: () => {
      isAsking.value = true
    },
  }
  return (
    <>
      <Menu items={[...items, removal]}>{actions.menu}</Menu>
      {isAsking.value && (
        <AskDialog {...question} text={actions.remove} onClose={() => (isAsking.value = false)} />
      )}
    </>
  )
}
