// The head of a page of the console: its title, what can be done, and the content.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { inOrganization } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export interface PageProps {
  readonly title: string
  /** Beside the title: buttons and links. */
  readonly actions?: ComponentChildren
  /** The page that this one belongs to. */
  readonly parent?: { readonly href: string; readonly title: string } | undefined
  readonly children: ComponentChildren
}

export function Page({ title, actions, parent, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.value.shell.product}`
  }, [title])
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {parent && (
            <a class="parent" href={inOrganization(parent.href)}>
              {parent.title}
            </a>
          )}
          <h1>{title}</h1>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
