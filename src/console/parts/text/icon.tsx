// Small drawings beside words: lucide's, in the colour of the text. They say nothing that the words do not.
import type { IconNode } from 'lucide'
import { createElement } from 'preact'

export interface IconProps {
  readonly of: IconNode
}

export function Icon({ of }: IconProps) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([name, attributes]) => createElement(name, attributes))}
    </svg>
  )
}
