// The handle of a row in the own order: dragged by a pointer, and a menu for the keyboard.
import { ArrowDown, ArrowUp, ArrowUpToLine, GripVertical } from 'lucide'
import { Menu } from '../../../parts/dialog/menu.tsx'
import { Icon } from '../../../parts/text/icon.tsx'
import { words } from '../../../words/words.ts'

export interface GripProps {
  readonly onPress: (event: PointerEvent) => void
  /** By one place, or before all others. */
  readonly onMove: (to: -1 | 1 | 'top') => void
}

interface RowGripProps extends GripProps {
  readonly id: string
  readonly name: string
}

export function RowGrip({ id, name, onPress, onMove }: RowGripProps) {
  const texts = words.value.overview.order
  return (
    <div class="row-grip" data-grip={id} onPointerDown={onPress}>
      <Menu
        label={texts.move({ name })}
        items={[
          { text: texts.up, icon: ArrowUp, onSelect: () => onMove(-1) },
          { text: texts.down, icon: ArrowDown, onSelect: () => onMove(1) },
          { text: texts.top, icon: ArrowUpToLine, onSelect: () => onMove('top') },
        ]}
      >
        <Icon of={GripVertical} />
      </Menu>
    </div>
  )
}
