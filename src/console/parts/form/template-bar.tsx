// Above a form of incidents or planned work: begins it with a template, and makes one of what it says.
import { useSignal } from '@preact/signals'
import { type Body, fetchData, type Item } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { monitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { act } from '../dialog/act.ts'

type KeptTemplate = Item<'templates.list'>

interface TemplateBarProps {
  readonly kind: KeptTemplate['kind']
  /** Fills the form. */
  readonly onChoose: (template: KeptTemplate) => void
  /** What the form says now; undefined while that is too little. */
  readonly made: () => Omit<Body<'templates.create'>, 'kind' | 'name'> | undefined
}

/** As many as a list of choices holds. */
const templatesShown = 200

export function TemplateBar({ kind, onChoose, made }: TemplateBarProps) {
  const { templates: texts } = words.value.common
  const chosenId = useSignal('')
  const all = useData('templates.list', {
    path: { orgId: orgId() },
    query: { kind, limit: templatesShown },
  })
  if (!mayAs('member')) return null
  const templates = all.value.value ?? []
  const chosen = templates.find(({ id }) => id === chosenId.value)

  async function keep(): Promise<void> {
    const fields = made()
    const name = fields?.title?.trim() ?? ''
    if (!fields || name === '') return
    const same = templates.find((one) => one.name === name)
    const path = { orgId: orgId() }
    await act(async () => {
      if (same) {
        const at = { ...path, templateId: same.id }
        await fetchData('templates.change', { path: at, body: fields })
      } else await fetchData('templates.create', { path, body: { ...fields, kind, name } })
      await all.reload()
    }, texts.kept({ name }))
  }

  async function remove({ id, name }: KeptTemplate): Promise<void> {
    const path = { orgId: orgId(), templateId: id }
    const isDone = await act(() => fetchData('templates.remove', { path }), texts.removed({ name }))
    if (!isDone) return
    chosenId.value = ''
    await all.reload()
  }

  return (
    <div class="template-bar">
      {templates.length > 0 && (
        <label class="field">
          {texts.choose}
          <select
            value={chosenId.value}
            onChange={({ currentTarget: { value } }) => {
              chosenId.value = value
              const template = templates.find(({ id }) => id === value)
              if (template) onChoose(withKnownMonitors(template))
            }}
          >
            <option value="">{texts.none}</option>
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button
        type="button"
        class="link"
        disabled={!made()?.title?.trim()}
        onClick={() => void keep()}
      >
        {texts.keep}
      </button>
      {chosen && (
        <button type="button" class="link" onClick={() => void remove(chosen)}>
          {texts.remove({ name: chosen.name })}
        </button>
      )}
    </div>
  )
}

/** Some may have been deleted since. */
function withKnownMonitors(template: KeptTemplate): KeptTemplate {
  const monitorIds = template.monitorIds.filter((id) => monitors.value.has(id))
  return { ...template, monitorIds }
}
