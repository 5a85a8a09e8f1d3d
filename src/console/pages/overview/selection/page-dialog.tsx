// Adds many monitors to a status page, whose readers then see their names.
import { useSignal } from '@preact/signals'
import { type Data, fetchData, revisionOf } from '../../../api/client.ts'
import { useData } from '../../../api/resource.ts'
import { addressIn } from '../../../base/address-in.ts'
import { act } from '../../../parts/dialog/act.ts'
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx'
import { tell } from '../../../parts/dialog/toast.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { monitors } from '../../../stores/monitors.ts'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import { changeMany, takeBack, type WayBack } from './bulk-change.ts'

type StatusPage = Data<'status-pages.get'>

interface PageDialogProps {
  readonly ids: readonly string[]
  readonly onClose: () => void
}

export function PageDialog({ ids, onClose }: PageDialogProps) {
  const texts = words.value.overview.bulk
  const chosen = useSignal<string | undefined>(undefined)
  const pages = useData('status-pages.list', { path: { orgId: orgId() }, query: { limit: 200 } })
  const known = pages.value.value ?? []
  const pageId = chosen.value ?? known[0]?.id
  const addresses = ids.flatMap((id) => {
    const name = monitors.peek().get(id)?.name ?? ''
    return addressIn(name) === undefined ? [] : [name]
  })
  return (
    <FormDialog
      title={texts.page.title({ count: ids.length })}
      confirmText={texts.page.confirm}
      isReady={pageId !== undefined}
      onConfirm={async () => pageId !== undefined && act(() => addTo(pageId, ids))}
      onClose={onClose}
    >
      <Loaded of={pages}>
        {(all) =>
          all.length === 0 ? (
            <p>
              {texts.page.none} <a href="/app/status-pages">{words.value.shell.places.pages}</a>
            </p>
          ) : (
            <div class="field">
              <label for="bulk-page">{texts.page.label}</label>
              <select
                id="bulk-page"
                data-focus
                value={pageId}
                onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
              >
                {all.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
              <p class="help">{texts.page.help}</p>
            </div>
          )
        }
      </Loaded>
      {addresses.length > 0 && (
        <p class="note is-degraded">
          {texts.page.addresses({ count: addresses.length, name: addresses[0] ?? '' })}
        </p>
      )}
    </FormDialog>
  )
}

async function addTo(statusPageId: string, ids: readonly string[]): Promise<void> {
  const path = { orgId: orgId(), statusPageId }
  const page: StatusPage = await fetchData('status-pages.get', { path })
  const { undo } = await changeMany(ids, { isPublic: true }, { of: path.orgId, withUndo: true })
  const wayBack = { orgId: path.orgId, undo }
  const before = page.publicMonitorIds ?? null
  const after = before && [...new Set([...before, ...ids])]
  // A page without a choice of its own shows every public monitor.
  if (after && after.length > (before?.length ?? 0)) {
    const body = { publicMonitorIds: after }
    try {
      await fetchData('status-pages.change', { path, body, revision: revisionOf(page) })
    } catch (error) {
      // Other pages show every public monitor: they stay public only where they came to this page.
      await takeBack(wayBack)
      throw error
    }
  }
  const { bulk } = words.value.overview
  tell(
    bulk.page.added({ count: ids.length, page: page.name }),
    () => void act(() => leave(path, before, wayBack)),
  )
}

async function leave(
  path: { readonly orgId: string; readonly statusPageId: string },
  publicMonitorIds: readonly string[] | null,
  wayBack: WayBack,
): Promise<void> {
  if (publicMonitorIds) {
    await fetchData('status-pages.change', { path, body: { publicMonitorIds } })
  }
  await takeBack(wayBack)
}
