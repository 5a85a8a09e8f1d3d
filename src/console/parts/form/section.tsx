// A part of a form that is folded away at first.
import type { ComponentChildren } from 'preact'

interface SectionProps {
  readonly title: string
  readonly isOpen?: boolean | undefined
  readonly children: ComponentChildren
}

export function Section({ title, isOpen, children }: SectionProps) {
  return (
    <details class="section" open={isOpen}>
      <summary>{title}</summary>
      <div class="section-inside">{children}</div>
    </details>
  )
}
