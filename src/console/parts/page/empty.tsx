// What a page shows before there is anything: what belongs here, and the step that brings it.
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../text/icon.tsx'

export interface EmptyProps {
  readonly icon: IconNode
  readonly title: string
  readonly about: string
  readonly children?: ComponentChildren
}

export function Empty({ icon, title, about, children }: EmptyProps) {
  return (
    <section class="empty">
      <Icon of={icon} />
      <h2>{title}</h2>
      <p>{about}</p>
      {children && <div class="actions">{children}</div>}
    </section>
  )
}
