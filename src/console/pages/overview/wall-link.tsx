// Makes the link of a wall: an API key of a viewer, which is revoked where all keys are.
import { useSignal } from '@preact/signals'
import { fetchData } from '../../api/client.ts'
import { outward } from '../../base/base-path.ts'
import { act } from '../../parts/dialog/act.ts'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function WallLink() {
  const texts = words.value.wall
  const link = useSignal<string | undefined>(undefined)
  const make = () =>
    act(async () => {
      const { key } = await fetchData('api-keys.create', {
        path: { orgId: orgId() },
        body: { name: texts.title, role: 'viewer' },
      })
      link.value = `${location.origin}${outward('/app/wall')}#${key}`
    })
  return (
    <>
      <button type="button" onClick={() => void make()}>
        {texts.make}
      </button>
      {link.value !== undefined && (
        <ShownOnce
          title={texts.title}
          about={texts.about}
          secret={link.value}
          onClose={() => (link.value = undefined)}
        />
      )}
    </>
  )
}
