// A new status page.
import { useLocation } from 'preact-iso/router'
import { tell } from '../../parts/dialog/toast.tsx'
import { Page } from '../../parts/page/page.tsx'
import { words } from '../../words/words.ts'
import { PageEditor } from './page-editor.tsx'

export function NewStatusPage() {
  const { route } = useLocation()
  const texts = words.value.statusPages
  return (
    <Page title={texts.add} parents={[{ href: '/app/pages', title: texts.title }]}>
      <PageEditor
        stored={undefined}
        onSaved={({ id, name }) => {
          tell(texts.created({ name }))
          route(`/app/pages/${id}`)
        }}
      />
    </Page>
  )
}
