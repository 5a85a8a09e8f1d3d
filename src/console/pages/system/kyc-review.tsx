// Verifications of identity that wait for a decision.

import { useSignal } from '@preact/signals'
import { IdCard } from 'lucide'
import { useData } from '../../api/resource.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Choices } from '../../parts/page/choices.tsx'
import { Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'
import { isOpen, KycCase } from './kyc-case.tsx'

const statuses = ['pending', 'in_review', 'approved', 'rejected', 'expired'] as const
type Status = (typeof statuses)[number]

export function KycReview() {
  const texts = words.value.system
  const status = useSignal<Status>('pending')
  const cases = useData('kyc.list', { query: { status: status.value, limit: 50 } })
  const shownId = useSignal<string | undefined>(undefined)
  function close(): void {
    shownId.value = undefined
  }
  return (
    <div class="page-part">
      <Choices
        label={texts.kyc}
        all={statuses}
        chosen={status.value}
        textOf={(one) => texts.kycStatuses[one]}
        onChoose={(one) => (status.value = one)}
      />
      <LogTable of={cases} none={{ icon: IdCard, about: texts.noKyc }}>
        {(one) => (
          <tr key={one.id}>
            <td>
              <code>{one.userId}</code>
            </td>
            <td>
              <Time at={one.submittedAt} form="local" />
            </td>
            <td class="wrong">{one.sending?.problem}</td>
            <td class="actions">
              <button type="button" onClick={() => (shownId.value = one.id)}>
                {isOpen(one) ? texts.kycReview : texts.kycShow}
              </button>
            </td>
          </tr>
        )}
      </LogTable>
      {shownId.value !== undefined && (
        <KycCase
          verificationId={shownId.value}
          onClose={close}
          onDecided={() => {
            close()
            void cases.reload()
          }}
        />
      )}
    </div>
  )
}
