// The colours of tags in the organization that is shown.
import { effect, signal } from '@preact/signals'
import { type Data, fetchData } from '../api/client.ts'
import { organization } from './session.ts'

type TagColors = Data<'orgs.get'>['tagColors']

/** By the tag; empty until they are known. */
export const tagColors = signal<ReadonlyMap<string, string>>(new Map())

export function keepTagColors(colors: TagColors): void {
  tagColors.value = new Map(colors.map(({ tag, color }) => [tag, color]))
}

// Tags have a text of their own, so nobody is told of a failure: the next page asks again.
effect(() => {
  const orgId = organization.value?.id
  if (orgId === undefined) return
  const asked = new AbortController()
  void fetchData('orgs.get', { path: { orgId }, signal: asked.signal }).then(
    (org) => keepTagColors(org.tagColors),
    () => undefined,
  )
  return () => asked.abort()
})
