// Says why a page must be loaded anew, and does it.
import { words } from '../../words/words.ts'

export function Reload({ about }: { readonly about: string }) {
  return (
    <div class="note is-problem" role="alert">
      <p>{about}</p>
      <button type="button" onClick={() => location.reload()}>
        {words.value.common.reload.button}
      </button>
    </div>
  )
}
