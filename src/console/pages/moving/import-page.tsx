// Moving in: what a file or another product has, what an import of it would do, and the import.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Data, fetchData } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { tell } from '../../parts/dialog/toast.tsx'
import { Page } from '../../parts/page/page.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { ProblemNote, problemText } from '../../parts/page/problem-note.tsx'
import { Progress } from '../../parts/text/progress.tsx'
import { Said } from '../../parts/text/said.tsx'
import { bytes } from '../../parts/text/sizes.ts'
import { orgId } from '../../stores/session.ts'
import { listed, punctuation, words } from '../../words/words.ts'
import { bringPast, broughtItems } from './bringing.ts'
import { FormerImports } from './former-imports.tsx'
import { monitorsFirst, Plan, plannedItems } from './plan.tsx'
import {
  asChosen,
  type ChosenFile,
  type Found,
  foundAtSite,
  foundInFile,
  type GatusMore,
  hasChanges,
  type MovingStep,
  type PlanLine,
  type ReadingWatch,
} from './reading.ts'
import type { NamedFile } from './several-files.ts'
import { DropZone, KindField, SiteForm } from './source-form.tsx'

interface Running {
  readonly step: MovingStep
  readonly share: { readonly done: number; readonly total: number } | undefined
}

export function ImportPage() {
  const { moving: texts, shell } = words.value
  const chosen = useSignal<ChosenFile | undefined>(undefined)
  const gatus = useSignal<GatusMore>({ environment: '', installation: '' })
  const found = useSignal<Found | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const running = useSignal<Running | undefined>(undefined)
  const { route } = useLocation()
  const step = running.value?.step
  usePoll(step === 'examining' || step === 'importing', async () => {
    const { progress } = await fetchData('orgs.importProgress', {
      path: { orgId: orgId() },
    }).catch(() => ({ progress: null }))
    const now = running.peek()
    // The import itself tells what is wrong.
    if (!progress || (now?.step !== 'examining' && now?.step !== 'importing')) return
    running.value = {
      step: now.step,
      share: { done: progress.doneItems, total: progress.totalItems },
    }
  })

  /** Only the newest attempt is shown: another file may have been chosen while one was read. */
  const newest = useRef<AbortController | undefined>(undefined)
  async function attempt(work: (watch: ReadingWatch) => Promise<() => void>): Promise<void> {
    newest.current?.abort()
    const own = new AbortController()
    newest.current = own
    problem.value = undefined
    const onStep: ReadingWatch['onStep'] = (now, share) => {
      if (newest.current === own) running.value = { step: now, share }
    }
    const show = await work({ signal: own.signal, onStep }).catch((error: unknown) => () => {
      problem.value = asProblem(error)
    })
    if (newest.current !== own) return
    running.value = undefined
    show()
  }

  function stop(): void {
    newest.current?.abort()
    newest.current = undefined
    running.value = undefined
  }

  function goBack(): void {
    stop()
    found.value = undefined
    chosen.value = undefined
  }

  const read = (look: (watch: ReadingWatch) => Promise<Found>) => {
    found.value = undefined
    return attempt(async (watch) => {
      const result = await look(watch)
      return () => {
        found.value = result
      }
    })
  }

  const lookAt = (file: ChosenFile) => {
    chosen.value = file
    return read((watch) => foundInFile(file, gatus.value, watch))
  }

  const choose = (files: Promise<readonly NamedFile[]>) => {
    chosen.value = undefined
    return read(async (watch) => {
      const file = await asChosen(await files)
      watch.signal.throwIfAborted()
      const { environment = gatus.value.environment } = file
      gatus.value = { ...gatus.value, environment }
      chosen.value = file
      return foundInFile(file, gatus.value, watch)
    })
  }

  const bringIn = (what: Found, isShadow: boolean) =>
    attempt(async (watch) => {
      const made = await broughtItems(what, isShadow, watch)
      const isPastAlone = !hasChanges(what.trial)
      const past = await bringPast(what, made.importId, watch).then(
        () => undefined,
        (error: unknown) => asProblem(error),
      )
      return () => {
        if (!isPastAlone) tell(texts.done({ count: made.monitors }))
        else if (!past) tell(texts.pastDone)
        if (past) tell(texts.pastFailed({ why: problemText(past) }))
        route(`/app/imports/${made.importId}`)
      }
    })

  return (
    <Page title={texts.title} parents={[{ href: '/app', title: shell.places.overview }]}>
      <section class="card form">
        <p>{texts.about}</p>
        <DropZone
          chosen={chosen.value}
          isWrong={problem.value !== undefined}
          onFiles={(files) => void choose(files)}
        />
        {chosen.value && !(chosen.value.content instanceof File) && (
          <KindField
            chosen={chosen.value}
            gatus={gatus.value}
            onChange={(kind) => chosen.value && void lookAt({ ...chosen.value, kind })}
            onGatus={(more) => (gatus.value = more)}
            onLook={() => chosen.value && void lookAt(chosen.value)}
          />
        )}
      </section>
      {running.value && <Busy {...running.value} onCancel={stop} />}
      {problem.value && <Refusal problem={problem.value} />}
      {found.value && (
        <Preview
          found={found.value}
          isBusy={running.value !== undefined}
          onImport={(what, isShadow) => void bringIn(what, isShadow)}
          onBack={goBack}
        />
      )}
      {!chosen.value && (
        <div class="page-part" hidden={found.value !== undefined || running.value !== undefined}>
          <SiteForm onRead={(site) => void read((watch) => foundAtSite(site, watch))} />
          <FormerImports />
        </div>
      )}
    </Page>
  )
}

function Busy({ step, share, onCancel }: Running & { readonly onCancel: () => void }) {
  const { moving: texts, common } = words.value
  const text = texts.steps[step]
  const done = share ? { doneBytes: share.done, totalBytes: share.total } : null
  // What was begun to be imported is imported.
  const mayCancel = step === 'sending' || step === 'reading' || step === 'examining'
  return (
    <div class="card moving-busy">
      <p>
        {text} <Progress label={text} of={done} since={null} />
        {step === 'sending' && share && <span class="faint figure"> {bytes(share.total)}</span>}
      </p>
      {mayCancel && (
        <button type="button" onClick={onCancel}>
          {common.actions.cancel}
        </button>
      )}
    </div>
  )
}

function Refusal({ problem }: { readonly problem: ApiProblem }) {
  const { moving: texts } = words.value
  return (
    <div class="page-part" id="refusal">
      <ProblemNote problem={problem} />
      {problem.fields.length > 1 && (
        <details class="card" open>
          <summary>{texts.problems({ count: problem.fields.length })}</summary>
          <ul>
            {problem.fields.map(({ pointer, message, lang }) => (
              <li key={pointer}>
                <code>{pointer}</code> <span lang={lang}>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

interface PreviewProps {
  readonly found: Found
  readonly isBusy: boolean
  readonly onImport: (found: Found, isShadow: boolean) => void
  readonly onBack: () => void
}

function Preview({ found, isBusy, onImport, onBack }: PreviewProps) {
  const { moving: texts } = words.value
  const { from, trial, notes } = found
  // The old system tells already: two alerts for one outage are one too many.
  const isShadow = useSignal(true)
  const mayBeShadow =
    found.document.source !== undefined &&
    trial.plan.some(({ action, list }) => action === 'create' && list === 'monitors')
  const changes = hasChanges(found.trial)
  const withPast = monitorsWithPast(found)
  return (
    <section class="card" role="status">
      <h2>{texts.preview({ file: from })}</h2>
      <Counts plan={trial.plan} notes={notes} />
      {withPast > 0 && <p>{changes ? texts.withPast : texts.pastAgain({ count: withPast })}</p>}
      {mayBeShadow && (
        <div class="field is-check">
          <label>
            <input
              type="checkbox"
              checked={isShadow.value}
              onChange={({ currentTarget }) => (isShadow.value = currentTarget.checked)}
            />
            {texts.silent}
          </label>
          <p class="help">{texts.silentHelp}</p>
        </div>
      )}
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={isBusy || !(changes || withPast > 0)}
          onClick={() => onImport(found, mayBeShadow && isShadow.value)}
        >
          {changes || withPast === 0 ? texts.submit : texts.bringPast}
        </button>
        <button type="button" disabled={isBusy} onClick={onBack}>
          {texts.back}
        </button>
        <span class="faint">{texts.undoHint}</span>
      </div>
      <Hands trial={trial} />
      <Plan plan={trial.plan} notes={notes} isTrial />
    </section>
  )
}

/** Monitors that would be here, and may have a past: of a file that the service reads, nobody knows which have. */
function monitorsWithPast({ trial, history, upload }: Found): number {
  const origins = new Set(history.map(({ origin }) => origin))
  const isHere = (action: PlanLine['action']) =>
    action === 'create' || action === 'change' || action === 'keep'
  return trial.plan.filter(
    ({ list, action, origin }) =>
      list === 'monitors' &&
      isHere(action) &&
      origin !== null &&
      (upload !== undefined || origins.has(origin)),
  ).length
}

/** What would be made, as what it is; then how many of all are changed, kept, left out. */
function Counts({ plan, notes }: Pick<Found, 'notes'> & Pick<Found['trial'], 'plan'>) {
  const { moving: texts } = words.value
  const { items } = plannedItems(plan, notes)
  const made = plan.filter(({ action }) => action === 'create')
  const lists = [...new Set(made.map(({ list }) => list))].sort(monitorsFirst)
  const others = (['change', 'leftOut', 'keep', 'deletedHere', 'goneThere'] as const).flatMap(
    (action) => {
      const count = items.filter(({ line }) => line.action === action).length
      return count > 0 ? [texts.some[action]({ count })] : []
    },
  )
  return (
    <ul class="plan-counts">
      {lists.map((list) => (
        <li key={list} class="is-create">
          {texts.counts[list]({ count: made.filter((line) => line.list === list).length })}
        </li>
      ))}
      {lists.length === 0 && <li>{texts.nothingNew}</li>}
      {others.map((text) => (
        <li key={text} class="faint">
          {text}
        </li>
      ))}
    </ul>
  )
}

/** What somebody has to do afterwards; the page of the import has it again, with links. */
function Hands({ trial }: Pick<Found, 'trial'>) {
  const { moving: texts } = words.value
  const { awaitingSecrets, awaitingValues, paused, plan } = trial
  const beyond = [...Map.groupBy(plan, roomAsked)].filter(([reason]) => reason !== undefined)
  if (awaitingSecrets.length + awaitingValues.length + paused.length + beyond.length === 0) {
    return null
  }
  return (
    <div class="note">
      <ul>
        {beyond.map(([reason = '', lines]) => (
          <li key={reason}>
            {lines[0] && texts.counts[lines[0].list]({ count: lines.length })}
            {punctuation.value.colon}
            <Said text={reason} />
          </li>
        ))}
        {paused.length > 0 && <li>{texts.paused({ count: paused.length })}</li>}
        {awaitingSecrets.length > 0 && (
          <li>
            {texts.awaiting({ count: awaitingSecrets.length })}
            <FewNames
              names={awaitingSecrets.map(({ name, secrets }) => `${name} (${fieldNames(secrets)})`)}
            />
          </li>
        )}
        {awaitingValues.length > 0 && (
          <li>
            {texts.valueless({ count: awaitingValues.length })}
            <FewNames names={awaitingValues.map(({ name }) => name)} />
          </li>
        )}
      </ul>
    </div>
  )
}

/** The sentence of a quota that an item is beyond. */
function roomAsked({ action, reason = '' }: PlanLine): string | undefined {
  return action === 'leftOut' ? /^there is no room: [^;]+/.exec(reason)?.[0] : undefined
}

/** Names that are listed: the page of the import has all of them. */
const namedMax = 6

function FewNames({ names }: { readonly names: readonly string[] }) {
  if (names.length > namedMax) return null
  return (
    <>
      {punctuation.value.gap}
      {listed(names)}
    </>
  )
}

const fieldNames = (pointers: Data<'orgs.import'>['awaitingSecrets'][number]['secrets']) =>
  listed(pointers.map((pointer) => pointer.replace(/^\/config\//, '')))
