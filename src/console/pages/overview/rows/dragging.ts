// A row that a pointer drags to another place: a line shows where it would go. Nothing is drawn anew until it
// is let go of, so that a list of thousands follows the pointer.

export interface DragOptions {
  /** The list, whose rows have one height, and how many there are. */
  readonly list: HTMLElement
  readonly rowPx: number
  readonly count: number
  /** What shows where the row would go. */
  readonly line: HTMLElement
  /** Called with the gap where it was let go of: 0 is before the first row. */
  readonly onDrop: (gap: number) => void
}

/** A shorter way is a click. */
const slackPx = 5
/** Nearer to the edge of the window, the page scrolls, as many pixels a frame. */
const edgePx = 64
const stepPx = 12

/** Follows the pointer from where it was pressed on the handle of a row. Escape takes the row back. */
export function dragRow(pressed: PointerEvent, options: DragOptions): void {
  const { list, rowPx, count, line, onDrop } = options
  const handle = pressed.target instanceof Element ? pressed.target : undefined
  const row = handle?.closest('.row-frame')
  const ending = new AbortController()
  let yPx = pressed.clientY
  let gap: number | undefined
  let frame = 0

  function follow(): void {
    const byPx = yPx < edgePx ? -stepPx : yPx > window.innerHeight - edgePx ? stepPx : 0
    if (byPx !== 0) window.scrollBy({ top: byPx, behavior: 'instant' })
    const { top, left, width } = list.getBoundingClientRect()
    gap = Math.max(0, Math.min(count, Math.round((yPx - top) / rowPx)))
    Object.assign(line.style, {
      top: `${top + gap * rowPx}px`,
      left: `${left}px`,
      width: `${width}px`,
    })
    frame = requestAnimationFrame(follow)
  }

  function end(isDropped: boolean): void {
    ending.abort()
    cancelAnimationFrame(frame)
    line.hidden = true
    row?.classList.remove('is-dragged')
    if (gap === undefined) return
    ignoreClick()
    if (isDropped) onDrop(gap)
  }

  const { signal } = ending
  const isOther = ({ pointerId }: PointerEvent) => pointerId !== pressed.pointerId
  window.addEventListener(
    'pointermove',
    (event) => {
      if (isOther(event)) return
      yPx = event.clientY
      if (gap !== undefined || Math.abs(yPx - pressed.clientY) < slackPx) return
      line.hidden = false
      row?.classList.add('is-dragged')
      follow()
    },
    { signal },
  )
  window.addEventListener('pointerup', (event) => isOther(event) || end(true), { signal })
  window.addEventListener('pointercancel', (event) => isOther(event) || end(false), { signal })
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
}

/** The click that follows a drag opens nothing. */
function ignoreClick(): void {
  const ending = new AbortController()
  window.addEventListener('click', (event) => event.stopPropagation(), {
    capture: true,
    signal: ending.signal,
  })
  setTimeout(() => ending.abort())
}
