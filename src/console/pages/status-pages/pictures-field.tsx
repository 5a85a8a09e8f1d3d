// The pictures of a status page: each is chosen or dropped, stored at once, and can be removed.
import { useSignal } from '@preact/signals'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { tellProblem } from '../../parts/dialog/toast.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { StoredPage } from './page-body.ts'
import { type PictureKind, pictureData } from './picture-data.ts'

const kinds = ['logo', 'cover', 'favicon'] as const

interface PicturesProps {
  readonly page: StoredPage
  readonly onChange: (page: StoredPage) => void
}

export function PicturesField({ page, onChange }: PicturesProps) {
  const { pictures: texts } = words.value.statusPages
  return (
    <fieldset class="field">
      <legend>{texts.title}</legend>
      <div class="page-pictures">
        {kinds.map((kind) => (
          <PicturePlace key={kind} kind={kind} page={page} onChange={onChange} />
        ))}
      </div>
      <p class="help">{texts.help}</p>
    </fieldset>
  )
}

function PicturePlace({ kind, page, onChange }: PicturesProps & { readonly kind: PictureKind }) {
  const { pictures: texts } = words.value.statusPages
  const isOver = useSignal(false)
  const isBusy = useSignal(false)
  const path = { orgId: orgId(), statusPageId: page.id, pictureKind: kind }
  const name = texts.kinds[kind]
  const stored = page.pictures[kind]

  async function take(file: File | undefined): Promise<void> {
    if (!file || isBusy.value) return
    isBusy.value = true
    const data = await pictureData(file, kind).catch(() => undefined)
    if (data === undefined) tellProblem(texts.unreadable({ file: file.name }))
    else {
      await act(
        async () => onChange(await fetchData('status-pages.setPicture', { path, body: { data } })),
        texts.set({ name }),
      )
    }
    isBusy.value = false
  }

  const remove = () =>
    act(
      async () => onChange(await fetchData('status-pages.removePicture', { path })),
      texts.removed({ name }),
    )

  return (
    <div class="page-picture">
      <label
        class={isOver.value ? 'picture-place is-over' : 'picture-place'}
        aria-busy={isBusy.value}
        onDragOver={(event) => {
          event.preventDefault()
          isOver.value = true
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault()
          isOver.value = false
          void take(event.dataTransfer?.files[0])
        }}
      >
        <b>{name}</b>
        {stored ? <Picture key={stored.url} page={page} kind={kind} /> : <span>{texts.drop}</span>}
        <input
          type="file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          aria-label={texts.choose({ name })}
          onChange={({ currentTarget }) => {
            void take(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
      </label>
      <p class="help">{texts.about[kind]}</p>
      {stored && (
        <button type="button" class="link" onClick={() => void remove()}>
          {texts.remove({ name })}
        </button>
      )}
    </div>
  )
}

interface PictureProps {
  readonly page: StoredPage
  readonly kind: PictureKind
}

function Picture({ page, kind }: PictureProps) {
  const path = { orgId: orgId(), statusPageId: page.id, pictureKind: kind }
  const shown = useData('status-pages.getPicture', { path })
  const { value } = shown.value
  return value ? <img src={`data:image/${value.format};base64,${value.data}`} alt="" /> : <span />
}
