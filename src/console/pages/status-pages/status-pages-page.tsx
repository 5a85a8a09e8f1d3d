// The status pages: where they are, whether readers see them, and how many subscribed.
import { Globe } from 'lucide'
import { everyPage, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { RowsPage } from '../../parts/page/rows-page.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function StatusPagesPage() {
  const texts = words.value.statusPages
  const pages = useResource(
    (signal) =>
      wholeList(
        everyPage('status-pages.list', { path: { orgId: orgId() }, query: { limit: 200 }, signal }),
      ),
    [],
  )
  const add = mayAs('admin') && (
    <a class="button primary" href="/app/pages/new">
      {texts.add}
    </a>
  )
  return (
    <RowsPage title={texts.title} of={pages} add={add} empty={{ icon: Globe, ...texts.empty }}>
      {(all) => (
        <ul class="rows-list">
          {all.map((page) => (
            <PageRow key={page.id} page={page} />
          ))}
        </ul>
      )}
    </RowsPage>
  )
}

function PageRow({ page }: { readonly page: Item<'status-pages.list'> }) {
  const texts = words.value.statusPages
  const { id, name, url, subdomainUrl, subscribers } = page
  return (
    <li>
      <a class="list-row" href={`/app/pages/${id}`}>
        <span class="letters" aria-hidden="true">
          {name.slice(0, 2)}
        </span>
        <span class="monitor-name">
          <strong>{name}</strong> <span class="faint">{subdomainUrl ?? url}</span>
        </span>
        <PageState page={page} />
        <span class="faint since">{texts.subscriberCount({ count: subscribers.active })}</span>
      </a>
    </li>
  )
}

export function PageState({ page }: { readonly page: Item<'status-pages.list'> }) {
  const { states } = words.value.statusPages
  const { isEnabled, hasPassword, visibility } = page
  if (!isEnabled) return <span class="state is-paused">{states.off}</span>
  const open = hasPassword ? states.locked : states.on
  return <span class="state is-up">{visibility === 'members' ? states.members : open}</span>
}
