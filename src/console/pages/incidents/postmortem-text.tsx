// A post-mortem as readers of status pages see it. The service renders it; here it is the document of a
// frame that runs nothing, so that what people wrote is never a part of the console.
import schema from 'schema:incidents.previewPostmortem'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { schemaAt } from '../../parts/form/schema.ts'
import { problemLang, problemText } from '../../parts/problem-note.tsx'
import { orgId } from '../../session.ts'
import { theme } from '../../shell/theme.ts'
import { words } from '../../words/words.ts'

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
  const rendered = useResource(
    (signal) =>
      fetchData('incidents.previewPostmortem', {
        path: { orgId: orgId() },
        body: { postmortem: text },
        signal,
      }),
    [],
    [text],
  )
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

interface ProseFrameProps {
  readonly html: string
  readonly title: string
}

/**
 * No script runs in it, whatever is in it: it has no `allow-scripts`, and it has the policy of the
 * console. It counts as the same origin only so that its height can be read.
 */
const sandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

function ProseFrame({ html, title }: ProseFrameProps) {
  const height = useSignal(0)
  const watch = useMemo(
    () =>
      new ResizeObserver(([entry]) => {
        height.value = Math.ceil(entry?.contentRect.height ?? 0)
      }),
    [height],
  )
  useEffect(() => () => watch.disconnect(), [watch])
  return (
    <iframe
      class="prose-frame"
      title={title}
      sandbox={sandbox}
      srcdoc={documentOf(html)}
      height={height.value}
      onLoad={({ currentTarget }) => {
        watch.disconnect()
        const root = currentTarget.contentDocument?.documentElement
        if (root) watch.observe(root)
      }}
    />
  )
}

/** With the look of the console; its links lead to a tab of their own. */
function documentOf(html: string): string {
  const look = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href ?? ''
  return `<!doctype html>
<html lang="${document.documentElement.lang}" class="is-prose" data-theme="${theme.value}">
<head><meta charset="utf-8"><base target="_blank"><link rel="stylesheet" href="${look}"></head>
<body>${html}</body>
</html>`
}
