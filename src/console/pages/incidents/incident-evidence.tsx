// What the check found when the incident began.

import { Said } from '../../parts/text/said.tsx'
import { words } from '../../words/words.ts'
import { Evidence } from '../monitors/evidence/evidence.tsx'
import type { Incident } from './incident.ts'

export function IncidentEvidence({ evidence }: { evidence: NonNullable<Incident['evidence']> }) {
  const { error, phases, message, metadata, ...failure } = evidence
  const result = {
    outcome: null,
    responseTimeMs: null,
    address: null,
    error,
    message: null,
    phases,
    failure: { ...failure, at: '', error, picture: null, requests: [] },
    found: metadata,
  }
  return (
    <section class="card">
      <h2>{words.value.incidents.evidence}</h2>
      {message !== null && (
        <p>
          <Said text={message} />
        </p>
      )}
      <Evidence result={result} />
    </section>
  )
}
