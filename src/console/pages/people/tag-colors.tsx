// The colours of tags: those that monitors have, and those that have a colour.
import { type Body, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { Tag } from '../../parts/text/tag.tsx'
import { monitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { keepTagColors, tagColors } from '../../stores/tag-colors.ts'
import { words } from '../../words/words.ts'

/** What is proposed; any other can be chosen. Each can be seen on light and on dark. */
const palette = [
  '#dc2626',
  '#ea580c',
  '#ca8a04',
  '#16a34a',
  '#0891b2',
  '#2563eb',
  '#7c3aed',
  '#db2777',
]

type ChosenColors = NonNullable<Body<'orgs.change'>['tagColors']>

async function save(colors: ChosenColors): Promise<void> {
  const path = { orgId: orgId() }
  const saved = await fetchData('orgs.change', { path, body: { tagColors: colors } })
  keepTagColors(saved.tagColors)
}

export function TagColorsForm() {
  const { people } = words.value
  const { tagColors: texts } = people
  const own = tagColors.value
  const used = [...monitors.value.values()].flatMap(({ tags }) => tags)
  const tags = [...new Set([...used, ...own.keys()])].sort((a, b) => a.localeCompare(b))
  const set = (tag: string, color: string | undefined) => {
    const others = [...own].filter(([other]) => other !== tag)
    const all = color === undefined ? others : [...others, [tag, color] as const]
    return act(() => save(all.map(([name, value]) => ({ tag: name, color: value }))), texts.saved)
  }
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{tags.length === 0 ? texts.none : texts.about}</p>
      <datalist id="tag-palette">
        {palette.map((color) => (
          <option key={color} value={color} />
        ))}
      </datalist>
      <ul class="tag-colors">
        {tags.map((tag) => (
          <li key={tag}>
            <input
              type="color"
              list="tag-palette"
              aria-label={texts.colorOf({ tag })}
              value={own.get(tag) ?? '#8f8a80'}
              onChange={({ currentTarget }) => void set(tag, currentTarget.value)}
            />
            <Tag tag={tag} />
            {own.has(tag) && (
              <button
                type="button"
                class="quiet"
                aria-label={texts.removeOf({ tag })}
                onClick={() => void set(tag, undefined)}
              >
                {texts.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
