// What is asked before many monitors are changed: what each gets, and how many that would change.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { useData, useResource } from '../../../api/resource.ts'
import { FormDialog } from '../../../parts/dialog/form-dialog.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { ProblemNote } from '../../../parts/page/problem-note.tsx'
import { symbolOf } from '../../../parts/text/number.ts'
import { Said } from '../../../parts/text/said.tsx'
import { duration } from '../../../parts/text/time.tsx'
import { monitors } from '../../../stores/monitors.ts'
import { orgId } from '../../../stores/session.ts'
import { listed, punctuation, words } from '../../../words/words.ts'
import { PlacesChoice, storedPlaces } from '../../monitors/editor/places-field.tsx'
import { type BulkOutcome, type Change, changeMany, makeChange } from './bulk-change.ts'
import { type Mark, MarkList } from './mark-list.tsx'
import { PageDialog } from './page-dialog.tsx'

export interface BulkDialogProps {
  readonly kind: keyof typeof dialogs
  readonly ids: readonly string[]
  readonly onClose: () => void
}

const dialogs = {
  pause: PauseDialog,
  tags: TagsDialog,
  interval: IntervalDialog,
  channels: ChannelsDialog,
  places: PlacesDialog,
  page: PageDialog,
}

export function BulkDialog({ kind, ...asked }: BulkDialogProps) {
  const Asked = dialogs[kind]
  return <Asked {...asked} />
}

type AskedProps = Omit<BulkDialogProps, 'kind'>

interface ChangeDialogProps extends AskedProps {
  readonly title: string
  /** Undefined as long as nothing is chosen. */
  readonly change: Change | undefined
  readonly done: (values: { readonly count: number }) => string
  readonly children: ComponentChildren
}

/** The service is asked what would change when nothing was typed for so long. */
const askAfterMs = 250

function ChangeDialog({ ids, title, change, done, children, onClose }: ChangeDialogProps) {
  const texts = words.value.overview.bulk
  const wanted = JSON.stringify(change)
  const asked = useSignal(wanted)
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = wanted
    }, askAfterMs)
    return () => clearTimeout(timer)
  }, [wanted, asked])
  const dry = useResource<BulkOutcome | undefined>(
    async (signal) => change && changeMany(ids, change, { dryRun: true, signal }),
    [],
    [asked.value],
  )
  const outcome = dry.value.value
  const isKnown = asked.value === wanted && !dry.isLoading.value && !dry.problem.value
  const count = isKnown && change ? (outcome?.changed ?? 0) : 0
  return (
    <FormDialog
      title={title}
      confirmText={texts.confirm({ count })}
      isReady={count > 0}
      onConfirm={async () => change !== undefined && makeChange(ids, change, done)}
      onClose={onClose}
    >
      {children}
      <div class="dry-run" role="status" aria-busy={!isKnown}>
        {dry.problem.value && <ProblemNote problem={dry.problem.value} />}
        {change && outcome && !dry.problem.value && <Expected outcome={outcome} />}
      </div>
    </FormDialog>
  )
}

const reasonsShown = 3

function Expected({ outcome }: { readonly outcome: BulkOutcome }) {
  const { changed, unchanged, refused, refusals } = outcome
  const texts = words.value.overview.bulk
  return (
    <>
      <p>
        {texts.wouldChange({ count: changed })}
        {unchanged > 0 && punctuation.value.gap + texts.same({ count: unchanged })}
        {refused > 0 && punctuation.value.gap + texts.wouldLeave({ count: refused })}
      </p>
      {refused > 0 && (
        <ul class="refusals">
          {refusals.slice(0, reasonsShown).map(({ pointer, message, ids }) => (
            <li key={`${pointer} ${message}`}>
              <strong>{ids.length}</strong> {fieldName(pointer)} <Said text={message} />{' '}
              <span class="faint">{namesOf(ids)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const namesShown = 3

function namesOf(ids: readonly string[]): string {
  const names = ids.slice(0, namesShown).flatMap((id) => monitors.peek().get(id)?.name ?? [])
  return listed(names) + (ids.length > namesShown ? ' …' : '')
}

/** As the editor names it, where that is known. */
function fieldName(pointer: string): string {
  const { editor } = words.value
  const [, field = ''] = pointer.split('/')
  const known: Readonly<Record<string, string>> = {
    timeoutMs: editor.timeout,
    intervalSeconds: editor.interval,
    addTags: editor.tags,
    addChannelIds: editor.channels,
    locations: editor.sections.places,
  }
  return `${known[field] ?? field}:`
}

function PauseDialog(asked: AskedProps) {
  const texts = words.value.overview.bulk
  return (
    <ChangeDialog
      {...asked}
      title={texts.pauseTitle({ count: asked.ids.length })}
      change={{ isActive: false }}
      done={texts.paused}
    >
      <p>{texts.pauseAbout}</p>
    </ChangeDialog>
  )
}

function TagsDialog(asked: AskedProps) {
  const texts = words.value.overview.bulk
  const marks = useSignal<ReadonlyMap<string, Mark>>(new Map())
  const typed = useSignal('')
  const used = useMemo(() => tagsOf(asked.ids), [asked.ids])
  const added = typed.value
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const addTags = [...new Set([...added, ...marked(marks.value, 'add')])]
  const removeTags = marked(marks.value, 'remove').filter((tag) => !addTags.includes(tag))
  const isEmpty = addTags.length + removeTags.length === 0
  const items = used.map(({ tag, isOnAll }) => ({
    id: tag,
    name: tag,
    ...(isOnAll ? { isOn: true } : {}),
  }))
  return (
    <ChangeDialog
      {...asked}
      title={texts.tags.title({ count: asked.ids.length })}
      change={isEmpty ? undefined : { addTags, removeTags }}
      done={texts.changed}
    >
      <div class="field">
        <label for="bulk-tags">{texts.tags.add}</label>
        <input
          id="bulk-tags"
          data-focus
          autoComplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        />
        <p class="help">{texts.tags.help}</p>
      </div>
      {items.length > 0 && <MarkList label={texts.tags.used} items={items} marks={marks} />}
    </ChangeDialog>
  )
}

/** The tags of the monitors, by name. */
function tagsOf(ids: readonly string[]): { readonly tag: string; readonly isOnAll: boolean }[] {
  const counts = new Map<string, number>()
  for (const id of ids) {
    for (const tag of monitors.peek().get(id)?.tags ?? []) {
      counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
  }
  return [...counts]
    .map(([tag, count]) => ({ tag, isOnAll: count === ids.length }))
    .sort((a, b) => a.tag.localeCompare(b.tag))
}

const marked = (marks: ReadonlyMap<string, Mark>, wanted: Mark) =>
  [...marks].flatMap(([id, mark]) => (mark === wanted ? [id] : []))

/** Seconds. */
const usualIntervals = [30, 60, 300, 900, 3_600]

function IntervalDialog(asked: AskedProps) {
  const texts = words.value.overview.bulk
  const seconds = useSignal<number | undefined>(undefined)
  return (
    <ChangeDialog
      {...asked}
      title={texts.interval.title({ count: asked.ids.length })}
      change={seconds.value === undefined ? undefined : { intervalSeconds: seconds.value }}
      done={texts.changed}
    >
      <div class="field">
        <label for="bulk-interval">{words.value.editor.interval}</label>
        <span class="with-unit">
          <input
            id="bulk-interval"
            data-focus
            type="number"
            inputMode="numeric"
            min={10}
            max={86_400}
            value={seconds.value ?? ''}
            onInput={({ currentTarget: { valueAsNumber } }) =>
              (seconds.value = Number.isFinite(valueAsNumber) ? valueAsNumber : undefined)
            }
          />
          <span class="unit">{symbolOf('s')}</span>
        </span>
        <div class="chips">
          {usualIntervals.map((usual) => (
            <button
              key={usual}
              type="button"
              aria-pressed={seconds.value === usual}
              onClick={() => (seconds.value = usual)}
            >
              {duration(usual)}
            </button>
          ))}
        </div>
        <p class="help">{texts.interval.help}</p>
      </div>
    </ChangeDialog>
  )
}

function ChannelsDialog(asked: AskedProps) {
  const texts = words.value.overview.bulk
  const marks = useSignal<ReadonlyMap<string, Mark>>(new Map())
  const channels = useData('alert-channels.list', {
    path: { orgId: orgId() },
    query: { limit: 200 },
  })
  const addChannelIds = marked(marks.value, 'add')
  const removeChannelIds = marked(marks.value, 'remove')
  const isEmpty = addChannelIds.length + removeChannelIds.length === 0
  return (
    <ChangeDialog
      {...asked}
      title={texts.channels.title({ count: asked.ids.length })}
      change={isEmpty ? undefined : { addChannelIds, removeChannelIds }}
      done={texts.changed}
    >
      <Loaded of={channels}>
        {(all) =>
          all.length === 0 ? (
            <p>
              {words.value.editor.noChannels + punctuation.value.gap}
              <a href="/app/channels">{words.value.shell.places.channels}</a>
            </p>
          ) : (
            <MarkList label={words.value.editor.channels} items={all} marks={marks} />
          )
        }
      </Loaded>
      <p class="help">{texts.channels.help}</p>
    </ChangeDialog>
  )
}

function PlacesDialog(asked: AskedProps) {
  const texts = words.value.overview.bulk
  const chosen = useSignal<readonly string[]>([])
  const isEmpty = chosen.value.length === 0
  return (
    <ChangeDialog
      {...asked}
      title={texts.places.title({ count: asked.ids.length })}
      change={isEmpty ? undefined : { locations: storedPlaces(chosen.value) }}
      done={texts.changed}
    >
      <PlacesChoice chosen={chosen.value} onChoose={(next) => (chosen.value = next)} />
    </ChangeDialog>
  )
}
