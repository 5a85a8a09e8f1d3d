// What readers would see of the unsaved fields. The document runs nothing and leads nowhere.
import { effect, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fetchData } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { outwardDocument } from '../../base/base-path.ts'
import type { Form } from '../../parts/form/form.ts'
import { problemText } from '../../parts/page/problem-note.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { bodyOf, type PageBody, type StoredPage } from './page-body.ts'

const pauseMs = 500

interface PagePreviewProps {
  readonly form: Form<PageBody>
  /** Its pictures are shown. */
  readonly stored: StoredPage | undefined
}

export function PagePreview({ form, stored }: PagePreviewProps) {
  const texts = words.value.statusPages.preview
  const html = useSignal('')
  const problem = useSignal<ApiProblem | undefined>(undefined)
  useEffect(() => {
    let running: AbortController | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    async function draw(values: PageBody): Promise<void> {
      running?.abort()
      const own = new AbortController()
      running = own
      const { password: _, slug: __, ...body } = bodyOf(values)
      const name = body.name.trim() === '' ? '…' : body.name
      try {
        const drawn = await fetchData('status-pages.preview', {
          path: { orgId: orgId() },
          body: { ...body, name, ...(stored && { statusPageId: stored.id }) },
          signal: own.signal,
        })
        // Its links would leave the frame, which may open nothing.
        html.value = drawn.html.replace('<head>', '<head><base target="_blank">')
        problem.value = undefined
      } catch (error) {
        if (!own.signal.aborted) problem.value = asProblem(error)
      }
    }
    const stop = effect(() => {
      const values = form.values.value
      clearTimeout(timer)
      timer = setTimeout(() => void draw(values), pauseMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
      running?.abort()
    }
  }, [form, html, problem, stored?.id, JSON.stringify(stored?.pictures)])
  return (
    <section class="page-preview" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      {problem.value && (
        <p class="faint">
          {problem.value.fields.length > 0 ? texts.waits : problemText(problem.value)}
        </p>
      )}
      <iframe title={texts.title} sandbox="" srcdoc={outwardDocument(html.value)} />
    </section>
  )
}
