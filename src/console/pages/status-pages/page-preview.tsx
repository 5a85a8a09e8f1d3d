// What readers would see of the unsaved fields. The document runs nothing and leads nowhere.
import { effect, useSignal } from '@preact/signals'
import { Monitor, Moon, Smartphone, Sun, SunMoon, Tablet } from 'lucide'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { fetchData } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { outwardDocument } from '../../base/base-path.ts'
import type { Form } from '../../parts/form/form.ts'
import { Choices } from '../../parts/page/choices.tsx'
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
  const screen = useSignal<Screen>('beside')
  const mode = useSignal<ShownMode>('auto')
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
          body: {
            ...body,
            name,
            ...(mode.value !== 'auto' && { theme: { ...body.theme, mode: mode.value } }),
            ...(stored && { statusPageId: stored.id }),
          },
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
      void mode.value
      clearTimeout(timer)
      timer = setTimeout(() => void draw(values), pauseMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
      running?.abort()
    }
  }, [form, html, mode, problem, stored?.id, JSON.stringify(stored?.pictures)])
  return (
    <section class="page-preview" aria-label={texts.title}>
      <div class="preview-head">
        <h2>{texts.title}</h2>
        <Choices
          label={texts.screen}
          all={screenNames}
          chosen={screen.value}
          textOf={(name) => texts.screens[name]}
          icons={screens}
          onChoose={(name) => (screen.value = name)}
        />
        <Choices
          label={texts.mode}
          all={modeNames}
          chosen={mode.value}
          textOf={(name) => texts.modes[name]}
          icons={modes}
          onChoose={(name) => (mode.value = name)}
        />
      </div>
      {problem.value && (
        <p class="faint">
          {problem.value.fields.length > 0 ? texts.waits : problemText(problem.value)}
        </p>
      )}
      <Frame screen={screen.value} html={html.value} title={texts.title} />
    </section>
  )
}

/** The width of the window of a reader, in pixels of CSS; as wide as there is room here. */
const screenNames = ['beside', 'phone', 'desktop'] as const
type Screen = (typeof screenNames)[number]
const screens = { beside: Tablet, phone: Smartphone, desktop: Monitor }
const widths: Readonly<Record<Screen, number | undefined>> = {
  beside: undefined,
  phone: 390,
  desktop: 1_280,
}

/** What the page says, or as if the system of the reader were set so. */
const modeNames = ['auto', 'light', 'dark'] as const
type ShownMode = (typeof modeNames)[number]
const modes = { auto: SunMoon, light: Sun, dark: Moon }

interface FrameProps {
  readonly screen: Screen
  readonly html: string
  readonly title: string
}

/** A window that is wider than its place is drawn smaller. */
function Frame({ screen, html, title }: FrameProps) {
  const place = useRef<HTMLDivElement>(null)
  const placePx = useSignal(0)
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return undefined
    const observer = new ResizeObserver(([entry]) => {
      placePx.value = entry?.contentRect.width ?? 0
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const widthPx = widths[screen]
  // Before it was measured, and where there is room, as it is.
  const scale = widthPx && placePx.value ? Math.min(1, placePx.value / widthPx) : 1
  const style =
    widthPx === undefined
      ? {}
      : {
          width: `${widthPx}px`,
          height: `${100 / scale}%`,
          transform: scale < 1 ? `scale(${scale})` : 'none',
        }
  return (
    <div ref={place} class={`preview-place is-on-${screen}`}>
      <iframe title={title} sandbox="" srcdoc={outwardDocument(html)} style={style} />
    </div>
  )
}
