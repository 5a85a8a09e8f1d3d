// Which monitors a window is for: a choice that each new window needs, with what it covers now.
import type { Body } from '../../api/client.ts'
import { AskDialog } from '../../parts/dialog/ask-button.tsx'
import { ListField, Wrong } from '../../parts/form/fields.tsx'
import type { Form } from '../../parts/form/form.ts'
import { MonitorsField } from '../../parts/form/monitors-field.tsx'
import { areMonitorsLoaded, type MonitorEntry, monitors } from '../../stores/monitors.ts'
import { listed, punctuation, words } from '../../words/words.ts'

export type WindowBody = Body<'maintenance-windows.create'>

/** In the form, a list is null if it is not a part of the choice. */
export type WindowScope = Pick<WindowBody, 'isForAll' | 'monitorIds' | 'tags'>

type ScopeKind = 'monitors' | 'tags' | 'both' | 'all'

const namesShown = 5

function kindOf({ isForAll, monitorIds, tags }: WindowScope): ScopeKind | undefined {
  if (isForAll) return 'all'
  if (monitorIds && tags) return 'both'
  if (monitorIds) return 'monitors'
  return tags ? 'tags' : undefined
}

export function ScopeField({ form }: { readonly form: Form<WindowBody> }) {
  const { scope: texts, ...others } = words.value.maintenance
  const scope = form.values.value
  const kind = kindOf(scope)
  const id = form.idOf('/isForAll')
  const wrong = form.fieldProblems.value.get('/isForAll')
  // Few windows have both: the choice is offered only where one has.
  const hasBoth = kind === 'both'
  const kinds = ['monitors', 'tags', ...(hasBoth ? ['both' as const] : []), 'all'] as const
  function choose(chosen: ScopeKind): void {
    const { monitorIds, tags } = form.values.value
    form.set('/isForAll', chosen === 'all')
    form.set('/monitorIds', chosen === 'monitors' ? (monitorIds ?? []) : null)
    form.set('/tags', chosen === 'tags' ? (tags ?? []) : null)
  }
  return (
    <>
      <fieldset class={wrong === undefined ? 'field' : 'field is-wrong'}>
        <legend>
          {texts.which}
          <span class="faint"> · {words.value.common.required}</span>
        </legend>
        {kinds.map((one, index) => (
          <label key={one} class="inline">
            <input
              id={index === 0 ? id : `${id}-${one}`}
              type="radio"
              name={id}
              checked={one === kind}
              aria-invalid={wrong !== undefined}
              aria-describedby={`${id}-help`}
              onChange={() => choose(one)}
            />
            {texts.kinds[one]}
          </label>
        ))}
        <p id={`${id}-help`} class="help">
          <Wrong problem={wrong} />
        </p>
      </fieldset>
      {(kind === 'monitors' || hasBoth) && (
        <MonitorsField pointer="/monitorIds" label={others.monitors} />
      )}
      {(kind === 'tags' || hasBoth) && (
        <ListField pointer="/tags" label={others.tags} help={texts.tagsHelp} />
      )}
      {kind && <Covered scope={scope} />}
    </>
  )
}

function covered({ isForAll, monitorIds, tags }: WindowScope): readonly MonitorEntry[] {
  const all = [...monitors.value.values()]
  if (isForAll) return all
  const ids = new Set(monitorIds ?? [])
  return all.filter(({ id, tags: own }) => ids.has(id) || own.some((tag) => tags?.includes(tag)))
}

function Covered({ scope }: { readonly scope: WindowScope }) {
  const texts = words.value.maintenance.scope
  if (!areMonitorsLoaded()) return null
  const found = covered(scope)
  const names = found.slice(0, namesShown).map(({ name }) => name)
  const left = found.length - names.length
  const { gap, stop, colon } = punctuation.value
  return (
    <p class="note" role="status">
      {found.length === 0
        ? texts.coversNone
        : `${texts.covers({ count: found.length })}${colon}${listed(names)}${left > 0 ? ` ${texts.more({ count: left })}` : ''}${stop}`}
      {scope.isForAll && gap + texts.allAbout}
    </p>
  )
}

/** Asks before all alerts of the organization stop. */
export function AllQuestion({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const { question } = words.value.maintenance.scope
  return (
    <AskDialog
      text={question.button}
      title={question.title({ count: monitors.value.size })}
      about={question.about}
      onConfirm={async () => {
        onAnswer(true)
        return true
      }}
      onClose={() => onAnswer(false)}
    />
  )
}
