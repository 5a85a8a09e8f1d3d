// A tag of a monitor, with the colour that the organization gave it.
import { tagColors } from '../../stores/tag-colors.ts'

export function Tag({ tag }: { readonly tag: string }) {
  const color = tagColors.value.get(tag)
  if (color === undefined) return <span class="tag">{tag}</span>
  return (
    <span class="tag is-colored" style={{ '--tag-color': color }}>
      {tag}
    </span>
  )
}
