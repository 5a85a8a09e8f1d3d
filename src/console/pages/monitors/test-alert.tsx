// Who would hear of this monitor, and a test to each of them.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'
import { ChannelState, ChannelTrouble } from '../channels/channel-health.tsx'

type Path = Data<'monitors.testAlerts'>
type OnPath = Path['channels'][number]

const tones = { now: 'is-up', later: 'is-degraded', never: 'is-none' } as const

/** Something speaks against that messages arrive there. */
const isTroubled = ({ state, missingSettings }: OnPath['health']) =>
  missingSettings.length > 0 || !(state === 'ok' || state === 'untested')

/** Whether it gets the alert by its settings, and nothing speaks against that it arrives. */
const isReached = ({ gets, health }: OnPath) => gets !== 'never' && !isTroubled(health)

export interface TestAlertProps {
  readonly monitorId: string
  readonly onClose: () => void
}

export function TestAlert({ monitorId, onClose }: TestAlertProps) {
  const texts = words.value.monitor.alerts
  const isSending = useSignal(false)
  const ask = (send: boolean) =>
    fetchData('monitors.testAlerts', { path: { orgId: orgId(), monitorId }, body: { send } })
  const path = useResource(() => ask(false), [monitorId])
  async function send(): Promise<void> {
    isSending.value = true
    await act(async () => path.set(await ask(true)))
    isSending.value = false
  }
  return (
    <Dialog title={texts.title} isWide onClose={onClose}>
      <p class="faint">{texts.about}</p>
      <Loaded of={path}>
        {({ channels }) => {
          const heard = channels.filter(({ gets }) => gets !== 'never')
          const reached = heard.filter(isReached).length
          return (
            <>
              <p>
                {texts.count({ hearing: reached, all: channels.length }) + punctuation.value.gap}
                {heard.length > reached && texts.unreached({ count: heard.length - reached })}
              </p>
              {channels.length === 0 ? (
                <p>
                  {words.value.editor.noChannels + punctuation.value.gap}
                  <a href="/app/channels">{words.value.shell.places.channels}</a>
                </p>
              ) : (
                <ul class="alert-path" aria-live="polite">
                  {channels.map((channel) => (
                    <Channel key={channel.channelId} channel={channel} />
                  ))}
                </ul>
              )}
              {mayAs('admin') && heard.length > 0 && (
                <div class="form-foot">
                  <button
                    type="button"
                    class="primary"
                    aria-busy={isSending.value}
                    onClick={() => void send()}
                  >
                    {texts.send({ count: heard.length })}
                  </button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

/** The message has hints besides the error, but only in English. */
function whyNot({ message, error }: NonNullable<OnPath['test']>): string {
  const { said } = words.value
  return said(message) ?? said(error ?? '') ?? message
}

function Channel({ channel }: { readonly channel: OnPath }) {
  const texts = words.value.monitor.alerts
  const { channelId, name, type, gets, reason, alertAt, test, health } = channel
  const isObstructed = gets !== 'never' && isTroubled(health)
  return (
    <li>
      <Outcome channel={channel} />
      <span>
        <a href={`/app/channels/${channelId}`}>{name}</a> <span class="faint">{type}</span>
        {reason !== null && <span class="alert-reason">{texts.reasons[reason]}</span>}
        {gets === 'later' && alertAt !== null && <Time at={alertAt} form="local" />}
        {isObstructed && (
          <span class="alert-reason">
            <ChannelTrouble health={health} />{' '}
            {health.pending > 0 && texts.waiting({ count: health.pending })}
          </span>
        )}
        {gets !== 'never' && !isObstructed && health.state === 'untested' && (
          <span class="alert-reason">{texts.untested}</span>
        )}
        {test !== null && (
          <span class={test.delivered ? 'alert-test' : 'alert-test wrong'}>
            {test.delivered ? texts.delivered : `${texts.notDelivered} ${whyNot(test)}`}
          </span>
        )}
      </span>
    </li>
  )
}

/** When it gets the alert; of a channel that does not work, that it does not. */
function Outcome({ channel: { gets, health } }: { readonly channel: OnPath }) {
  const texts = words.value.monitor.alerts.gets
  const canSend = health.missingSettings.length === 0
  if (gets !== 'never' && canSend && health.state !== 'ok') {
    return <ChannelState channel={{ isActive: true, health, missingSecrets: [] }} />
  }
  const shown = canSend ? gets : 'never'
  const tone = canSend || gets === 'never' ? tones[gets] : 'is-degraded'
  return <span class={`state ${tone}`}>{texts[shown]}</span>
}
