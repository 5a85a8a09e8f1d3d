// The head of a page of the console: its title, what can be done, and the content.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { inOrganization } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { Empty, type EmptyProps } from './empty.tsx'

export interface PageProps {
  readonly title: string
  /** Beside the title: buttons and links. */
  readonly actions?: ComponentChildren
  /** The button that adds to what the page lists: beside the title, or in `empty` while that is shown. */
  readonly add?: ComponentChildren
  /** What stands below `children` while there is nothing to list. */
  readonly empty?: EmptyProps | false
  /** The pages that lead here, the nearest last; a phone shows only that one. */
  readonly parents?: readonly { readonly href: string; readonly title: string }[]
  readonly children: ComponentChildren
}

export function Page({ title, actions, add, empty, parents, children }: PageProps) {
  const beside = empty ? undefined : add
  useEffect(() => {
    document.title = `${title} · ${words.value.shell.product}`
  }, [title])
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {parents && (
            <nav class="path" aria-label={words.value.common.path}>
              {parents.map(({ href, title: name }) => (
                <a key={href} class="parent" href={inOrganization(href)}>
                  {name}
                </a>
              ))}
            </nav>
          )}
          <h1>{title}</h1>
        </div>
        {(actions || beside) && (
          <div class="actions">
            {actions}
            {beside}
          </div>
        )}
      </header>
      {children}
      {empty && (
        <Empty {...empty}>
          {add}
          {empty.children}
        </Empty>
      )}
    </div>
  )
}
