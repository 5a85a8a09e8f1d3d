// What an import does with each item, by what becomes of it, with the notes beside it.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Said } from '../../parts/text/said.tsx'
import { listed, words } from '../../words/words.ts'
import type { Note, PlanLine } from './reading.ts'

type PlannedAction = PlanLine['action']

/** What comes first is what comes. */
const actions: readonly PlannedAction[] = [
  'create',
  'change',
  'leftOut',
  'deletedHere',
  'goneThere',
  'keep',
]

/** Items of the same list that are shown at first; groups of fewer are open. */
const shownMax = 50
const openMax = 8
/** With more of them, somebody looks for one. */
const searchMin = 15

/** `list` is null for what the document does not have: nobody knows what it would be. */
type Line = Omit<PlanLine, 'list' | 'reason'> & {
  readonly list: PlanLine['list'] | null
  readonly reason?: string | undefined
}

interface PlannedItem {
  readonly line: Line
  readonly notes: readonly Note[]
}

interface PlanProps {
  readonly plan: readonly PlanLine[]
  readonly notes: readonly Note[]
  /** Nothing of it is done: what would be new is not there. */
  readonly isTrial?: boolean
}

export function Plan({ plan, notes, isTrial = false }: PlanProps) {
  const { moving: texts } = words.value
  const query = useSignal('')
  const { items, others } = plannedItems(plan, notes)
  const wanted = query.value.trim().toLowerCase()
  const found = wanted === '' ? items : items.filter((item) => textOf(item).includes(wanted))
  return (
    <div class="plan">
      {items.length >= searchMin && (
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
      )}
      {actions.map((action) => {
        const own = found.filter(({ line }) => line.action === action)
        return (
          own.length > 0 && (
            <Group
              key={action}
              action={action}
              items={own}
              areLinked={!(isTrial && action === 'create')}
            />
          )
        )
      })}
      {found.length === 0 && items.length > 0 && <p class="faint">{texts.nothingFound}</p>}
      {others.length > 0 && wanted === '' && (
        <details class="plan-group" open={others.length <= openMax}>
          <summary>{texts.otherNotes({ count: others.length })}</summary>
          <Notes notes={others} areNamed />
        </details>
      )}
    </div>
  )
}

/** The items with their notes, those that the document does not even have among them; and the notes of others. */
export function plannedItems(plan: readonly PlanLine[], notes: readonly Note[]) {
  const byItem = Map.groupBy(notes, keyOf)
  const items = plan.map((line): PlannedItem => {
    const key = line.origin ?? line.name
    const own = byItem.get(key) ?? []
    byItem.delete(key)
    return { line, notes: own }
  })
  const others: Note[] = []
  for (const own of byItem.values()) {
    const [{ name, origin = null } = { name: null }] = own
    const isItem = name !== null && own.some(({ text }) => isLeftOut.test(text))
    if (isItem) items.push({ line: { ...unmade, name, origin }, notes: own })
    else others.push(...own)
  }
  return { items, others }
}

const keyOf = ({ name, origin }: Note) => origin ?? name ?? ''

/** Converters say so in these words. */
const isLeftOut = /\bleft out\b/

const unmade = { list: null, action: 'leftOut', id: null, fields: [], reason: undefined } as const

function textOf({ line, notes }: PlannedItem): string {
  const said = notes.map(({ text }) => text)
  return [line.name, line.origin, line.reason, ...line.fields, ...said].join('\n').toLowerCase()
}

/** They are what it is about; the others keep their order. */
export function monitorsFirst(one: Line['list'], other: Line['list']): number {
  return Number(other === 'monitors') - Number(one === 'monitors')
}

interface PlanGroupProps {
  readonly action: PlannedAction
  readonly items: readonly PlannedItem[]
  readonly areLinked: boolean
}

function Group({ action, items, areLinked }: PlanGroupProps) {
  const { moving: texts } = words.value
  const lists = [...Map.groupBy(items, ({ line }) => line.list)].sort(([one], [other]) =>
    monitorsFirst(one, other),
  )
  const countOf = (list: Line['list'], count: number) =>
    list === null ? texts.notConverted({ count }) : texts.counts[list]({ count })
  const of = lists.map(([list, own]) => countOf(list, own.length))
  return (
    <details class={`plan-group is-${action}`} open={items.length <= openMax}>
      <summary>
        <strong>{texts.actions[action]}</strong> <span class="faint">{listed(of)}</span>
      </summary>
      <p class="help">{texts.actionHelp[action]}</p>
      {lists.map(([list, own]) => (
        <Lines key={list} title={countOf(list, own.length)} items={own} areLinked={areLinked} />
      ))}
    </details>
  )
}

interface LinesProps {
  readonly title: string
  readonly items: readonly PlannedItem[]
  readonly areLinked: boolean
}

function Lines({ title, items, areLinked }: LinesProps) {
  const most = useSignal(shownMax)
  return (
    <>
      <h3>{title}</h3>
      <ul class="plan-lines">
        {items.slice(0, most.value).map((item) => (
          <LineRow key={`${item.line.origin} ${item.line.name}`} item={item} isLinked={areLinked} />
        ))}
      </ul>
      {items.length > most.value && (
        <button type="button" class="more-rows" onClick={() => (most.value += 4 * shownMax)}>
          {words.value.common.actions.more}
        </button>
      )}
    </>
  )
}

interface LineRowProps {
  readonly item: PlannedItem
  readonly isLinked: boolean
}

function LineRow({ item: { line, notes }, isLinked }: LineRowProps) {
  const { moving: texts } = words.value
  const { list, name, origin, id, fields, reason } = line
  return (
    <li>
      <span class="plan-name">
        <Named href={isLinked ? hrefOf(list, id, line.action) : undefined}>{name}</Named>
        {origin !== null && <code class="faint">{origin}</code>}
      </span>
      {fields.length > 0 && <span>{texts.fields({ names: listed(fields) })}</span>}
      {reason !== undefined && (
        <span class="plan-reason">
          <Reason text={reason} />
        </span>
      )}
      <Notes notes={notes} />
    </li>
  )
}

/** A whole sentence; else the field, and the rule that it breaks. */
function Reason({ text }: { readonly text: string }) {
  const { said } = words.value
  const at = text.indexOf(' ')
  const rule = text.slice(at + 1)
  if (said(text) !== undefined || said(rule) === undefined) return <Said text={text} />
  return (
    <>
      <code>{text.slice(0, at)}</code> <Said text={rule} />
    </>
  )
}

interface NamedProps {
  readonly href: string | undefined
  readonly children: ComponentChildren
}

function Named({ href, children }: NamedProps) {
  return href === undefined ? <strong>{children}</strong> : <a href={href}>{children}</a>
}

const places: Readonly<Partial<Record<PlanLine['list'], string>>> = {
  monitors: '/app/monitors/',
  channels: '/app/channels/',
  statusPages: '/app/pages/',
}

/** Where the object is; undefined if it is not there, or has no page. */
function hrefOf(
  list: PlanLine['list'] | null,
  id: string | null,
  action: PlannedAction,
): string | undefined {
  const place = list === null ? undefined : places[list]
  if (place === undefined || id === null || action === 'leftOut') return undefined
  return place + id
}

interface NotesProps {
  readonly notes: readonly Note[]
  readonly areNamed?: boolean
}

function Notes({ notes, areNamed = false }: NotesProps) {
  if (notes.length === 0) return null
  return (
    <ul class="notes">
      {notes.map(({ name, text }) => (
        <li key={`${name} ${text}`}>
          {areNamed && name !== null && <strong>{name} </strong>}
          <Said text={text} />
        </li>
      ))}
    </ul>
  )
}
