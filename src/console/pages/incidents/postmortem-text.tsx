// A post-mortem as readers of status pages see it, also while somebody types it.
import schema from 'schema:incidents.previewPostmortem'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useData } from '../../api/resource.ts'
import { schemaAt } from '../../base/json-schema.ts'
import { problemLang, problemText } from '../../parts/page/problem-note.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { ProseFrame } from './prose-frame.tsx'

const pauseMs = 400

export interface PostmortemTextProps {
  readonly text: string
  /** What the frame is called. */
  readonly title: string
}

export function PostmortemText({ text, title }: PostmortemTextProps) {
  if (text.trim() === '') return <p class="faint">{words.value.incidents.noPostmortem}</p>
  return <Rendered text={text} title={title} />
}

/** Follows what somebody types, a moment later. */
export function PostmortemPreview({ text }: Pick<PostmortemTextProps, 'text'>) {
  const texts = words.value.incidents.preview
  const shown = useSignal(text)
  const isTooLong = [...text].length > charsMax
  useEffect(() => {
    if (isTooLong) return
    const timer = setTimeout(() => {
      shown.value = text
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [text, isTooLong, shown])
  return (
    <section class="prose-preview" aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {isTooLong && <p class="faint">{texts.waits}</p>}
      {[...shown.value].length <= charsMax && (
        <PostmortemText text={shown.value} title={texts.title} />
      )}
    </section>
  )
}

const charsMax = schemaAt(schema, '/postmortem')?.maxLength ?? Number.POSITIVE_INFINITY

function Rendered({ text, title }: PostmortemTextProps) {
  const rendered = useData('incidents.previewPostmortem', {
    path: { orgId: orgId() },
    body: { postmortem: text },
  })
  const html = rendered.value.value?.html
  const problem = rendered.problem.value
  return (
    <>
      {problem && (
        <p class="faint" lang={problemLang(problem)}>
          {problemText(problem)}
        </p>
      )}
      {html !== undefined && <ProseFrame html={html} title={title} />}
      {html === undefined && problem && <p class="lines">{text}</p>}
    </>
  )
}
