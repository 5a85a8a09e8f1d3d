// Warns where a name that the public sees holds an address. Nothing is refused: it may be meant.

import { addressIn } from '../../base/address-in.ts'
import { words } from '../../words/words.ts'

export function AddressWarning({ name }: { readonly name: string }) {
  const address = addressIn(name)
  return (
    <div role="status">
      {address !== undefined && (
        <p class="note is-degraded">{words.value.statusPages.monitors.holdsAddress({ address })}</p>
      )}
    </div>
  )
}
