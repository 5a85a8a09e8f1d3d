// The links at the head of a status page: a row for each, in the order that readers see.
import schema from 'schema:status-pages.create'
import { schemaAt } from '../../base/json-schema.ts'
import { TextField } from '../../parts/form/fields.tsx'
import type { Form } from '../../parts/form/form.ts'
import { Sortable } from '../../parts/list/sortable.tsx'
import { words } from '../../words/words.ts'
import type { PageBody } from './page-body.ts'

const linksMax = schemaAt(schema, '/headLinks')?.maxItems ?? 1

export function LinksField({ form }: { readonly form: Form<PageBody> }) {
  const texts = words.value.statusPages.headLinks
  const links = form.values.value.headLinks ?? []
  return (
    <fieldset class="field">
      <legend>{texts.title}</legend>
      <Sortable
        items={links}
        label={texts.title}
        nameOf={({ label }, index) => (label.trim() === '' ? String(index + 1) : label)}
        onChange={(next) => form.set('/headLinks', next)}
      >
        {(_, index) => (
          <div class="form-row">
            <TextField pointer={`/headLinks/${index}/label`} label={texts.label} isRequired />
            <TextField
              pointer={`/headLinks/${index}/url`}
              label={texts.url}
              type="url"
              isRequired
            />
          </div>
        )}
      </Sortable>
      {links.length < linksMax && (
        <button
          type="button"
          class="add-section"
          onClick={() => form.set('/headLinks', [...links, { label: '', url: '' }])}
        >
          {texts.add}
        </button>
      )}
    </fieldset>
  )
}
