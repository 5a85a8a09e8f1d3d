// What a page, or a part of one, shows before there is anything: what belongs here, and the step that brings it.
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../text/icon.tsx'

export interface EmptyProps {
  readonly icon: IconNode
  /** Absent in a part of a page. */
  readonly title?: string
  readonly about: string
  readonly children?: ComponentChildren
}

export function Empty({ icon, title, about, children }: EmptyProps) {
  return (
    <section class={title === undefined ? 'empty is-part' : 'empty'}>
      <Icon of={icon} />
      {title !== undefined && <h2>{title}</h2>}
      <p>{about}</p>
      {children && <div class="actions">{children}</div>}
    </section>
  )
}
