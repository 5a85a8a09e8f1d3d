// What is still to be set up after the first monitor: until all is done, or the person hides it.
import { useSignal } from '@preact/signals'
import { Check } from 'lucide'
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { isOperator, mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

const hiddenKey = () => `stillup.firstSteps.${orgId()}`

/** For those who may take all steps. */
export function FirstSteps() {
  return mayAs('admin') && localStorage.getItem(hiddenKey()) === null ? <Steps /> : null
}

interface FirstStep {
  readonly name: 'monitor' | 'channel' | 'page' | 'person' | 'backup'
  readonly href: string
  readonly isDone: boolean
}

/** There is a monitor where this is asked. */
async function findSteps(signal: AbortSignal): Promise<readonly FirstStep[]> {
  const ofOrganization = { path: { orgId: orgId() }, signal }
  const [channels, pages, members, backups] = await Promise.all([
    fetchData('alert-channels.list', { ...ofOrganization, query: { limit: 50 } }),
    fetchData('status-pages.list', { ...ofOrganization, query: { limit: 1 } }),
    fetchData('members.list', { ...ofOrganization, query: { limit: 2 } }),
    isOperator.peek() ? fetchData('backups.list', { query: { limit: 1 }, signal }) : undefined,
  ])
  const isTested = channels.some(({ health: { state } }) => state === 'ok')
  const [channel] = channels
  return [
    { name: 'monitor', href: '/app/monitors/new', isDone: true },
    {
      name: 'channel',
      href: `/app/channels/${channel?.id ?? 'new'}`,
      isDone: isTested,
    },
    { name: 'page', href: '/app/pages/new', isDone: pages.length > 0 },
    { name: 'person', href: '/app/people?tab=invites', isDone: members.length > 1 },
    ...(backups
      ? [
          {
            name: 'backup',
            href: '/app/system?tab=backups',
            isDone: backups.length > 0,
          } as const,
        ]
      : []),
  ]
}

function Steps() {
  const texts = words.value.setup.first
  const isHidden = useSignal(false)
  const steps = useResource(findSteps, [orgId()]).value.value
  if (isHidden.value || !steps || steps.every(({ isDone }) => isDone)) return null
  function hide(): void {
    localStorage.setItem(hiddenKey(), 'hidden')
    isHidden.value = true
  }
  return (
    <section class="card first-steps">
      <h2>{texts.title}</h2>
      <ol class="steps">
        {steps.map(({ name, href, isDone }) => (
          <li key={name} class={isDone ? 'is-over' : undefined}>
            {isDone && <Icon of={Check} />}
            {isDone ? <s>{texts[name]}</s> : <a href={href}>{texts[name]}</a>}
          </li>
        ))}
      </ol>
      <button type="button" class="quiet" onClick={hide}>
        {texts.hide}
      </button>
    </section>
  )
}
