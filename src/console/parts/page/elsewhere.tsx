// Shown in place of "does not exist": if another organization of the person has what the address names,
// the tab switches to that organization.
import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import { chooseOrganization, inOrganization, organization, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

/** The page for which the tab changed its organization. */
const moved = signal<{ readonly path: string; readonly name: string } | undefined>(undefined)

/** The id that an address names: that of its page, or of what a form begins with. */
const heldId = /\b(?:mon|inc|chn|pag|mnt)_[0-9a-z]{26}\b/

export interface ElsewhereProps {
  /** What is shown if no organization of the person has it. */
  readonly children: ComponentChildren
}

export function Elsewhere({ children }: ElsewhereProps) {
  const { url, path, query, route } = useLocation()
  const [id] = heldId.exec(url) ?? []
  const isLooking = useSignal(id !== undefined && (session.value?.organizations.length ?? 0) > 1)
  useEffect(() => {
    let isLeft = false
    async function look(holds: string): Promise<void> {
      const [found] = await fetchData('orgs.list', { query: { holds: holds as never } }).catch(
        () => [],
      )
      if (isLeft) return
      isLooking.value = false
      if (!found || found.id === organization.peek()?.id) return
      moved.value = { path, name: found.name }
      if (query.org !== undefined) route(inOrganization(url, found.id), true)
      chooseOrganization(found.id)
    }
    if (id !== undefined && isLooking.peek()) void look(id)
    return () => {
      isLeft = true
    }
  }, [])
  if (!isLooking.value) return <>{children}</>
  return (
    <p class="faint" role="status">
      {words.value.common.loading}…
    </p>
  )
}

/** Says in which organization the page is, as long as it is shown. */
export function Moved({ path }: { readonly path: string }) {
  useEffect(() => {
    if (moved.peek()?.path !== path) moved.value = undefined
  }, [path])
  if (moved.value?.path !== path) return null
  return (
    <p class="moved" role="status">
      {words.value.shell.moved({ name: moved.value.name })}
    </p>
  )
}
