// The gallery of looks: each as a small page, half of it in light and half in dark.
import colors from 'api:looks'
import schema from 'schema:status-pages.create'
import { schemaAt } from '../../base/json-schema.ts'
import type { Form } from '../../parts/form/form.ts'
import { words } from '../../words/words.ts'
import type { PageBody } from './page-body.ts'

type Look = NonNullable<PageBody['look']>

const looks = (schemaAt(schema, '/look')?.enum ?? []) as readonly Look[]

export function LookGallery({ form }: { readonly form: Form<PageBody> }) {
  const { look: texts } = words.value.statusPages
  const chosen = form.values.value.look ?? 'plain'
  return (
    <fieldset class="field">
      <legend>{texts.gallery}</legend>
      <div class="look-gallery">
        {looks.map((look) => (
          <label key={look} class={look === chosen ? 'look-card is-chosen' : 'look-card'}>
            <span class="look-picture" data-look={look} aria-hidden="true">
              <SmallPage look={look} mode="light" />
              <SmallPage look={look} mode="dark" />
            </span>
            <span>
              <input
                type="radio"
                name="look"
                checked={look === chosen}
                onChange={() => form.set('/look', look)}
              />{' '}
              {texts.looks[look]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface SmallPageProps {
  readonly look: Look
  readonly mode: 'light' | 'dark'
}

function SmallPage({ look, mode }: SmallPageProps) {
  return (
    <span class={`small-page is-${mode}`} style={colors[look]?.[mode]}>
      <b>Aa</b>
      <i class="small-banner" />
      <i class="small-row" />
      <i class="small-row is-slow" />
      <i class="small-row" />
    </span>
  )
}
