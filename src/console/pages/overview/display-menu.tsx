// How the overview shows the monitors: as rows, cards or tiles, in groups, with which columns.
import { LayoutGrid, Rows3, SquareDashed } from 'lucide'
import { Menu } from '../../parts/dialog/menu.tsx'
import { words } from '../../words/words.ts'
import { columns, isShown, showColumn } from './rows/columns.ts'
import { chooseDensity, density } from './rows/density.ts'
import { type Filter, views } from './rows/filter.ts'

const icons = { list: Rows3, cards: LayoutGrid, map: SquareDashed }

/** The orders that no column has. */
const orders = ['worst', 'own'] as const

interface DisplayMenuProps {
  readonly filter: Filter
  readonly hasTags: boolean
  readonly onChange: (changes: Partial<Filter>) => void
}

export function DisplayMenu({ filter, hasTags, onChange }: DisplayMenuProps) {
  const texts = words.value.overview
  const { display } = texts
  const isCompact = density.value === 'compact'
  return (
    <Menu
      items={[
        ...views.map((view) => ({
          text: display.views[view],
          icon: icons[view],
          isChosen: filter.view === view,
          onSelect: () => onChange({ view }),
        })),
        ...orders.map((by, at) => ({
          text: texts.order[by],
          ...(at === 0 ? { heading: texts.order.title } : {}),
          isChosen: by === 'own' ? filter.order?.by === 'own' : filter.order === undefined,
          onSelect: () => onChange({ order: by === 'own' ? { by, isDown: false } : undefined }),
        })),
        ...(hasTags
          ? [
              {
                text: texts.groupByTag,
                heading: display.rows,
                isOn: filter.isGrouped,
                onSelect: () => onChange({ isGrouped: !filter.isGrouped }),
              },
            ]
          : []),
        ...(filter.view === 'list'
          ? [
              {
                text: texts.compact,
                ...(hasTags ? {} : { heading: display.rows }),
                isOn: isCompact,
                onSelect: () => chooseDensity(isCompact ? 'comfortable' : 'compact'),
              },
              ...columns.map((column, at) => ({
                text: texts.columns[column],
                ...(at === 0 ? { heading: display.columns } : {}),
                isOn: isShown(column),
                onSelect: () => showColumn(column, !isShown(column)),
              })),
            ]
          : []),
      ]}
    >
      {display.open}
    </Menu>
  )
}
