// Markdown that people wrote, as readers of status pages see it. The service renders it; here it is the
// document of a frame that runs nothing, so that what people wrote is never a part of the console.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { theme } from '../../stores/theme.ts'

export interface ProseFrameProps {
  readonly html: string
  readonly title: string
}

/**
 * No script runs in it, whatever is in it: it has no `allow-scripts`, and it has the policy of the
 * console. It counts as the same origin only so that its height can be read.
 */
const sandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

export function ProseFrame({ html, title }: ProseFrameProps) {
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
  const { lang, dir } = document.documentElement
  return `<!doctype html>
<html lang="${lang}" dir="${dir}" class="is-prose" data-theme="${theme.value}">
<head><meta charset="utf-8"><base target="_blank"><link rel="stylesheet" href="${look}"></head>
<body>${html}</body>
</html>`
}
