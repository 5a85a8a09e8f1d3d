// Every part of the console in every state, light and dark side by side: for those who change how it looks.
// Only `npm run dev` has it, so its words are in English alone.
import brands from 'api:brands'
import { useSignal } from '@preact/signals'
import { Bell, CalendarClock, Copy, Globe, Pencil, Siren, Trash2, Users } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import { createResource } from '../../api/resource.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Menu } from '../../parts/dialog/menu.tsx'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { tell, tellProblem } from '../../parts/dialog/toast.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More } from '../../parts/list/more.tsx'
import { Sortable } from '../../parts/list/sortable.tsx'
import { Empty } from '../../parts/page/empty.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import { Reload } from '../../parts/page/reload.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { ThemeChoice } from '../../parts/page/theme-choice.tsx'
import { Copyable } from '../../parts/text/copyable.tsx'
import { Icon } from '../../parts/text/icon.tsx'
import { Mark } from '../../parts/text/mark.tsx'
import { Progress } from '../../parts/text/progress.tsx'
import { NextRuns } from '../../parts/text/schedule.tsx'
import { ConfirmingChip, StateMark } from '../../parts/text/state-mark.tsx'
import { Time } from '../../parts/text/time.tsx'
import { ChannelIcon } from '../channels/channel-icon.tsx'
import { ResponseChart } from '../monitors/history/response-chart.tsx'
import { stateOrder } from '../overview/rows/filter.ts'
import { LookForms } from './look-forms.tsx'
import { LookRows } from './look-rows.tsx'
import { LookSteps } from './look-steps.tsx'
import { recordOf, times } from './made-up.ts'

const modes = ['light', 'dark'] as const
const tones = ['up', 'slow', 'down', 'calm', 'none'] as const

/** The colours of the style sheet as it says them: those of the root are decided, for one of both modes. */
function colorsOfSheets(): Record<string, string> {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
  const roots = rules.filter(
    (rule) => rule instanceof CSSStyleRule && rule.selectorText === ':root',
  )
  const styles = roots.map((rule) => (rule as CSSStyleRule).style)
  return Object.fromEntries(
    styles.flatMap((style) => [...style].map((name) => [name, style.getPropertyValue(name)])),
  )
}

export function LookPage() {
  const colors = useMemo(colorsOfSheets, [])
  return (
    <Page title="Look" actions={<ThemeChoice />}>
      <div class="form-row">
        {modes.map((mode) => (
          <div
            key={mode}
            class="page"
            style={{
              ...colors,
              colorScheme: mode,
              background: 'var(--paper)',
              color: 'var(--ink)',
              padding: '1rem',
              minWidth: 0,
              gridTemplateColumns: 'minmax(0, 1fr)',
              alignContent: 'start',
            }}
          >
            <h2>{mode}</h2>
            <Parts mode={mode} />
          </div>
        ))}
      </div>
    </Page>
  )
}

interface PartProps {
  readonly name: string
  readonly children: ComponentChildren
}

function Part({ name, children }: PartProps) {
  return (
    <section class="form" aria-label={name} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <h3>{name}</h3>
      {children}
    </section>
  )
}

const Line = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="form-foot">{children}</div>
)

const doNothing = () => {}
const problem = new ApiProblem('The name is taken.', { status: 409, requestId: 'req_of_a_look' })
const failed = createResource<never>(() => Promise.reject(problem))
void failed.reload()
const loading = createResource<never>(() => new Promise<never>(doNothing))

function Parts({ mode }: { readonly mode: (typeof modes)[number] }) {
  return (
    <>
      <Part name="Buttons">
        {['', 'primary', 'danger', 'quiet', 'link'].map((kind) => (
          <Line key={kind}>
            <button type="button" class={kind}>
              {kind || 'button'}
            </button>
            <button type="button" class={kind} disabled>
              disabled
            </button>
            <button type="button" class={kind} aria-busy>
              busy
            </button>
          </Line>
        ))}
        <Line>
          <a class="button" href="#buttons">
            To the buttons
          </a>
          <button type="button" class="icon" aria-label="An icon">
            ×
          </button>
          <span class="split">
            <button type="button">Split</button>
            <Menu label="More" items={[{ text: 'Something else', onSelect: doNothing }]} />
          </span>
        </Line>
      </Part>
      <LookForms mode={mode} />
      <Part name="Chips, tabs and links">
        <fieldset class="chips" aria-label="Chips">
          <button type="button" aria-pressed>
            All <b>7</b>
          </button>
          {stateOrder.map((state) => (
            <button key={state} type="button" class={`is-${state}`} aria-pressed={false}>
              {state} <b>1</b>
            </button>
          ))}
        </fieldset>
        <Tabs
          label="Tabs"
          tabs={['One', 'Two', 'Three'].map((title) => ({
            name: title.toLowerCase(),
            title,
            content: () => <p>Tab {title}</p>,
          }))}
        />
        <p>
          <a href="#links">To the links</a> <span class="tag">a tag</span>{' '}
          <span class="faint">faint</span> <code>code</code> <kbd>j</kbd>
        </p>
        <pre>{'{ "text": "of a target" }'}</pre>
      </Part>
      <Part name="States">
        <Line>
          {stateOrder.map((state) => (
            <StateMark key={state} state={state} />
          ))}
        </Line>
        <Line>
          <StateMark state="up" confirming={{ failed: 2, needed: 3 }} />
          <ConfirmingChip confirming={{ failed: 2, needed: 3 }} />
          {tones.map((tone) => (
            <Mark key={tone} tone={tone} />
          ))}
        </Line>
      </Part>
      <Part name="Rows, cards and tiles">
        <LookRows />
      </Part>
      <Part name="Steps of a monitor">
        <LookSteps mode={mode} />
      </Part>
      <Part name="Tables and lists">
        <LogTable of={recordOf(['Web', 'API'])} heads={['Name', 'When', '']}>
          {(name) => (
            <tr key={name}>
              <td>{name}</td>
              <td>
                <Time at={times.from} />
              </td>
              <td>
                <button type="button">Do</button>
              </td>
            </tr>
          )}
        </LogTable>
        <section class="card">
          <h2>A card</h2>
          <LogTable
            of={recordOf<string>([])}
            none={{ icon: Bell, about: 'Nothing here yet.' }}
            isInside
          >
            {() => null}
          </LogTable>
        </section>
        <More pages={{ cursor: moreCursor, more: async () => {} }} />
        <SortableNames />
      </Part>
      <Part name="Menus, dialogs and toasts">
        <Line>
          <Menu items={menuItems}>Menu</Menu>
          <AskButton
            text="Delete"
            title="Delete Web?"
            about="Its history goes with it."
            onConfirm={async () => true}
          />
          <SecretButton />
          <button type="button" onClick={() => tell('It is done.', doNothing)}>
            Toast
          </button>
          <button type="button" onClick={() => tellProblem('It did not work.')}>
            Problem
          </button>
        </Line>
      </Part>
      <Part name="Notes and empty states">
        {['', 'is-up', 'is-degraded', 'is-down', 'is-maintenance', 'is-none'].map((tone) => (
          <p key={tone} class={`note ${tone}`}>
            A note {tone}
          </p>
        ))}
        <ProblemNote problem={problem} onRetry={doNothing} />
        <Loaded of={failed}>{() => null}</Loaded>
        <Loaded of={loading}>{() => null}</Loaded>
        <Reload about="This page was changed." />
        <Empty icon={Bell} title="No channels yet" about="Alerts go to channels.">
          <button type="button" class="primary">
            Add a channel
          </button>
        </Empty>
      </Part>
      <Part name="Texts">
        <Copyable text="https://status.example.com/a/long/address/that/people/copy" />
        <Progress label="Backup" of={{ doneBytes: 40, totalBytes: 100 }} since={null} />
        <Progress label="Backup" of={null} since={times.from} />
        <NextRuns cron="0 3 * * 1-5" zone="UTC" />
      </Part>
      <Part name="Charts">
        <ResponseChart times={times} shades={chartShades} />
      </Part>
      <Part name="Icons">
        <Line>
          {[Bell, CalendarClock, Copy, Globe, Pencil, Siren, Trash2, Users].map((icon, at) => (
            <Icon key={at} of={icon} />
          ))}
        </Line>
        <Line>
          {[...Object.keys(brands), 'email', 'webhook', 'unknown'].map((type) => (
            <ChannelIcon key={type} type={type} />
          ))}
        </Line>
      </Part>
    </>
  )
}

const moreCursor = createResource<string>(async () => '').value
moreCursor.value = 'next'

const chartShades = [
  {
    kind: 'down',
    fromMs: Date.parse(times.from) + 6 * 3_600_000,
    toMs: Date.parse(times.from) + 8 * 3_600_000,
  },
] as const

const menuItems = [
  { text: 'Change', icon: Pencil, shortcut: 'e', onSelect: doNothing },
  { text: 'Chosen', icon: Copy, isChosen: true, onSelect: doNothing },
  { text: 'On', heading: 'Under a heading', isOn: true, onSelect: doNothing },
  { text: 'Off', isOn: false, onSelect: doNothing },
  { text: 'Delete', icon: Trash2, isDanger: true, aside: 'for good', onSelect: doNothing },
]

function SortableNames() {
  const names = useSignal<readonly string[]>(['Web', 'API', 'Database'])
  return (
    <Sortable
      items={names.value}
      label="Names"
      nameOf={(name) => name}
      onChange={(items) => (names.value = items)}
    >
      {(name) => name}
    </Sortable>
  )
}

function SecretButton() {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        Dialog
      </button>
      {isOpen.value && (
        <ShownOnce
          title="The key"
          about="It is shown once."
          secret="key_of_a_look"
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  )
}
