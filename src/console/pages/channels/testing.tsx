// A test of a channel, whose result stays in the form until the next one: what came back, and when.
import { type Signal, useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { Said } from '../../parts/text/said.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { ChannelBody } from './channel-types.ts'

type TestAnswer = Data<'alert-channels.test'>

/** A test that was sent, and what is known of it. */
interface SentTest extends TestAnswer {
  readonly at: string
}

export interface ChannelTest {
  readonly result: Signal<SentTest | undefined>
  /** Sends what is in a form. Throws ApiProblem. */
  send(body: ChannelBody, changes: TestedChanges | undefined): Promise<void>
}

/** What differs from a stored channel, in the form of a change. */
interface TestedChanges extends Pick<ChannelBody, 'name'> {
  readonly channelId: string
  readonly config: Readonly<Record<string, unknown>>
}

/** `onSent` is called after each test, whether it arrived or not. */
export function useTest(onSent: () => void): ChannelTest {
  const result = useSignal<SentTest | undefined>(undefined)
  return {
    result,
    async send({ name, type, config }, changes) {
      result.value = undefined
      const path = { orgId: orgId() }
      const answer = await (changes
        ? fetchData('alert-channels.test', {
            path: { ...path, channelId: changes.channelId },
            body: { name: changes.name, config: changes.config },
          })
        : fetchData('alert-channels.testDraft', {
            path,
            body: { name, type, config } as ChannelBody,
          }))
      result.value = { ...answer, at: new Date().toISOString() }
      onSent()
    },
  }
}

/** Stays where the fields are that may have to be corrected. */
export function TestResult({ test: { result } }: { readonly test: ChannelTest }) {
  const texts = words.value.channels
  const shown = result.value
  return (
    <div role="status" aria-live="polite">
      {shown && (
        <div class={`note ${shown.delivered ? 'is-up' : 'is-degraded'}`}>
          <p>
            <strong>
              {shown.delivered
                ? texts.testArrived({ time: milliseconds(shown.durationMs) })
                : texts.testDidNotArrive}
            </strong>{' '}
            <Time at={shown.at} />
          </p>
          {shown.error !== null && (
            <p>
              <Said text={shown.error} />
            </p>
          )}
          {!shown.delivered && <p>{texts.correctIt}</p>}
        </div>
      )}
    </div>
  )
}
