// The headings of the guide, for the palette: loaded once, when somebody searches.
import { outward } from '../base/base-path.ts'

export interface GuideHeading {
  readonly page: string
  readonly heading: string
  /** Other words for it. */
  readonly also: string
  readonly href: string
}

let loading: Promise<readonly GuideHeading[]> | undefined

/** None if they cannot be loaded; the next search tries again. */
export function guideHeadings(): Promise<readonly GuideHeading[]> {
  loading ??= load().catch(() => {
    loading = undefined
    return []
  })
  return loading
}

async function load(): Promise<readonly GuideHeading[]> {
  const answer = await fetch(outward('/guide/headings.json'))
  if (!answer.ok) throw new Error(`the guide answered ${answer.status}`)
  return answer.json()
}
