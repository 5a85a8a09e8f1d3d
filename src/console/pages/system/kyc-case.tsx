// One verification of identity: what the person submitted, and the decision.
import { useSignal } from '@preact/signals'
import { type Body, type Data, fetchData, revisionOf } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Time } from '../../parts/text/time.tsx'
import { session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type Case = Data<'kyc.get'>
type Decision = Body<'kyc.decide'>['decision']

export interface KycCaseProps {
  readonly verificationId: string
  readonly onClose: () => void
  readonly onDecided: () => void
}

export function KycCase({ verificationId, onClose, onDecided }: KycCaseProps) {
  const { system: texts } = words.value
  const isRevealed = useSignal(false)
  const found = useResource(
    (signal) => {
      const query = isRevealed.value ? { reveal: true } : {}
      return fetchData('kyc.get', { path: { verificationId }, query, signal })
    },
    [verificationId],
    [isRevealed.value],
  )
  return (
    <Dialog title={texts.kycCase} isWide onClose={onClose}>
      <Loaded of={found}>
        {(shown) => (
          <>
            <p>
              {texts.kycStatuses[shown.status]} · <Time at={shown.submittedAt} form="local" />
            </p>
            {shown.fields.length === 0 ? (
              <p class="faint">{texts.kycErased}</p>
            ) : (
              <Fields fields={shown.fields} />
            )}
            {shown.fields.length > 0 && !isRevealed.value && (
              <div>
                <button type="button" onClick={() => (isRevealed.value = true)}>
                  {texts.kycReveal}
                </button>
              </div>
            )}
            {shown.reason !== null && <p class="lines">{shown.reason}</p>}
            {isOpen(shown) && isOwn(shown) && <p>{texts.kycOwn}</p>}
            {isOpen(shown) && !isOwn(shown) && (
              <DecisionFields shown={shown} onDecided={onDecided} />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

export const isOpen = ({ status }: Pick<Case, 'status'>) =>
  status === 'pending' || status === 'in_review'

const isOwn = ({ userId }: Case) => userId === session.value?.user.id

function Fields({ fields }: Pick<Case, 'fields'>) {
  const names: Readonly<Record<string, string>> = words.value.system.kycFields
  return (
    <dl class="facts">
      {fields.map(({ name, value }) => {
        // Document numbers have the names that the person gave them.
        const last = name.slice(name.indexOf('.') + 1)
        return (
          <div key={name}>
            <dt>{names[last] ?? last}</dt>
            <dd>{value}</dd>
          </div>
        )
      })}
    </dl>
  )
}

interface DecisionFieldsProps {
  readonly shown: Case
  readonly onDecided: () => void
}

function DecisionFields({ shown, onDecided }: DecisionFieldsProps) {
  const { system: texts } = words.value
  const reason = useSignal('')
  const isSending = useSignal(false)
  async function decide(decision: Decision): Promise<void> {
    isSending.value = true
    const given = reason.value.trim()
    const isDone = await act(
      () =>
        fetchData('kyc.decide', {
          path: { verificationId: shown.id },
          body: { decision, ...(given === '' ? {} : { reason: given }) },
          revision: revisionOf(shown),
        }),
      texts.decided,
    )
    isSending.value = false
    if (isDone) onDecided()
  }
  const isBusy = isSending.value
  return (
    <>
      <div class="field">
        <label for="kyc-reason">{texts.kycReason}</label>
        <textarea
          id="kyc-reason"
          rows={3}
          value={reason.value}
          onInput={({ currentTarget: { value } }) => (reason.value = value)}
        />
        <p class="help">{texts.kycReasonHelp}</p>
      </div>
      <div class="form-foot">
        <button
          type="button"
          class="primary"
          aria-busy={isBusy}
          onClick={() => void decide('approve')}
        >
          {texts.approve}
        </button>
        <button
          type="button"
          class="danger"
          aria-busy={isBusy}
          onClick={() => void decide('reject')}
        >
          {texts.reject}
        </button>
        {shown.status === 'pending' && (
          <button type="button" aria-busy={isBusy} onClick={() => void decide('review')}>
            {texts.kycTake}
          </button>
        )}
      </div>
    </>
  )
}
