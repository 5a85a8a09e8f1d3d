// One status page: its settings with a preview, its subscribers, and its domain.
import { useLocation, useRoute } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { Domains } from './domains.tsx'
import type { StoredPage } from './page-body.ts'
import { PageEditor } from './page-editor.tsx'
import { PageState } from './status-pages-page.tsx'
import { Subscribers } from './subscribers.tsx'

export function StatusPage() {
  const { statusPageId = '' } = useRoute().params
  const texts = words.value.statusPages
  const page = useData('status-pages.get', { path: { orgId: orgId(), statusPageId } })
  return (
    <Loaded of={page} pageTitle={texts.title}>
      {(shown) => {
        const domain = {
          name: 'domain',
          title: texts.tabs.domain,
          content: () => <Domains page={shown} onChange={page.set} />,
        }
        const settings = {
          name: 'settings',
          title: texts.tabs.settings,
          content: () => (
            <PageEditor
              stored={shown}
              onPictures={page.set}
              onSaved={(saved) => {
                tell(texts.saved)
                page.set(saved)
              }}
            />
          ),
        }
        const subscribers = {
          name: 'subscribers',
          title: texts.tabs.subscribers,
          content: () => <Subscribers pageId={shown.id} silent={shown.subscribers.silent} />,
        }
        return (
          <Page
            title={shown.name}
            parents={[{ href: '/app/pages', title: texts.title }]}
            actions={<Actions page={shown} onChange={page.set} />}
          >
            <div class="monitor-head">
              <PageState page={shown} />
              <span class="faint">{shown.subdomainUrl ?? shown.url}</span>
              <span>{texts.subscriberCount({ count: shown.subscribers.active })}</span>
            </div>
            <Tabs
              label={shown.name}
              tabs={mayAs('admin') ? [settings, subscribers, domain] : [domain]}
            />
          </Page>
        )
      }}
    </Loaded>
  )
}

interface PageActionsProps {
  readonly page: StoredPage
  readonly onChange: (page: StoredPage) => void
}

function Actions({ page, onChange }: PageActionsProps) {
  const { route } = useLocation()
  const { statusPages: texts, common } = words.value
  const { id, name, isEnabled, url, subdomainUrl, subscribers } = page
  const path = { orgId: orgId(), statusPageId: id }
  const enable = (isOn: boolean, isUndo = false): Promise<boolean> =>
    act(
      async () =>
        onChange(await fetchData('status-pages.change', { path, body: { isEnabled: isOn } })),
      isOn ? texts.enabled({ name }) : texts.disabled({ name }),
      isUndo ? undefined : () => void enable(!isOn, true),
    )
  async function remove(): Promise<boolean> {
    const isDone = await act(
      () => fetchData('status-pages.remove', { path }),
      texts.deleted({ name }),
    )
    if (isDone) route('/app/pages')
    return isDone
  }
  return (
    <>
      {isEnabled && (
        <a class="button" href={subdomainUrl ?? url} target="_blank" rel="noreferrer">
          {texts.open}
        </a>
      )}
      {mayAs('admin') && (
        <>
          <button type="button" onClick={() => void enable(!isEnabled)}>
            {isEnabled ? texts.disable : texts.enable}
          </button>
          <AskButton
            text={common.actions.remove}
            title={texts.deleteTitle({ name })}
            about={texts.deleteAbout({ count: subscribers.active })}
            onConfirm={remove}
          />
        </>
      )}
    </>
  )
}
