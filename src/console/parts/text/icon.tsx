// Small drawings beside words: lucide's, in the colour of the text. They say nothing that the words do not.
import { ChevronRight, type IconNode, LogOut, PanelLeft } from 'lucide'
import { createElement } from 'preact'

export interface IconProps {
  readonly of: IconNode
}

/** The drawings that point to a side, or stand for one: from right to left they are mirrored. */
const sided: ReadonlySet<IconNode> = new Set([ChevronRight, LogOut, PanelLeft])

export function Icon({ of }: IconProps) {
  return (
    <svg class={sided.has(of) ? 'glyph is-sided' : 'glyph'} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([name, attributes]) => createElement(name, attributes))}
    </svg>
  )
}
