// A secret that is shown once: a key, an address with a token.
import { words } from '../../words/words.ts'
import { Copyable } from '../text/copyable.tsx'
import { Dialog } from './dialog.tsx'

export interface ShownOnceProps {
  readonly title: string
  readonly about: string
  readonly secret: string
  readonly onClose: () => void
}

export function ShownOnce({ title, about, secret, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} isWide>
      <p>{about}</p>
      <Copyable text={secret} label={title} />
      <div class="form-foot">
        <button type="button" class="primary" onClick={onClose}>
          {words.value.common.actions.close}
        </button>
      </div>
    </Dialog>
  )
}
