// Monitors of imports of which nobody hears yet: people who forgot that would wait for an alert in vain.
import { words } from '../../words/words.ts'
import type { Summary } from './summary.ts'

export function SilentMonitors({ runs }: { readonly runs: Summary['shadowRuns'] }) {
  const { silent } = words.value.moving.shadow
  return runs.map(({ importId, monitors }) => (
    <p key={importId} class="note is-degraded">
      <a href={`/app/imports/${importId}`}>{silent({ count: monitors })}</a>
    </p>
  ))
}
