// Views of the overview that have a name: a click shows one again, in every browser of the person.
import { useSignal } from '@preact/signals'
import { Bookmark, BookmarkPlus, BookmarkX } from 'lucide'
import { useLocation } from 'preact-iso/router'
import { act } from '../../parts/dialog/act.ts'
import { Menu } from '../../parts/dialog/menu.tsx'
import { later } from '../../parts/page/later.tsx'
import { forgetView, savedViews } from '../../stores/preferences.ts'
import { inOrganization } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { type Filter, withFilter } from './rows/filter.ts'
import type { SaveViewDialogProps } from './save-view-dialog.tsx'

const SaveViewDialog = later<SaveViewDialogProps>(
  async () => (await import('./save-view-dialog.tsx')).SaveViewDialog,
)

interface SavedViewsProps {
  readonly filter: Filter
}

export function SavedViews({ filter }: SavedViewsProps) {
  const { path, route } = useLocation()
  const isSaving = useSignal(false)
  const texts = words.value.overview.saved
  const query = withFilter('', filter, {}).slice(1)
  const shown = savedViews.value.find((one) => one.query === query)
  if (savedViews.value.length === 0 && query === '') return null
  return (
    <>
      <Menu
        items={[
          ...savedViews.value.map((view) => ({
            text: view.name,
            icon: Bookmark,
            isChosen: view === shown,
            onSelect: () => route(inOrganization(`${path}?${view.query}`)),
          })),
          ...(query !== '' && !shown
            ? [
                {
                  text: texts.save,
                  icon: BookmarkPlus,
                  onSelect: () => {
                    isSaving.value = true
                  },
                },
              ]
            : []),
          ...(shown
            ? [
                {
                  text: texts.forget({ name: shown.name }),
                  icon: BookmarkX,
                  onSelect: () => void act(() => forgetView(shown)),
                },
              ]
            : []),
        ]}
      >
        {shown?.name ?? texts.open}
      </Menu>
      {isSaving.value && <SaveViewDialog query={query} onClose={() => (isSaving.value = false)} />}
    </>
  )
}
