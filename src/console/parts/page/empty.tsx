// What a page shows before there is anything: what belongs here, and the step that brings it.
import type { ComponentChildren } from 'preact'

export interface EmptyProps {
  readonly title: string
  readonly about: string
  readonly children?: ComponentChildren
}

export function Empty({ title, about, children }: EmptyProps) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>{about}</p>
      {children}
    </section>
  )
}
