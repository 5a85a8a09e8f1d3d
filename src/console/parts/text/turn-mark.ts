// A brief mark around what has just changed, for somebody who looks at it or next to it.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const markMs = 1_600
const [shown, gone] = ['inset 0 0 0 3px var(--tone, var(--accent))', 'inset 0 0 0 3px transparent']

/**
 * Marks the element when the value changes while it is shown; not for people who asked for less motion.
 * Only what is drawn pays for it: a list draws the rows in view.
 */
export function useTurnMark(element: RefObject<HTMLElement | null>, value: unknown): void {
  const before = useRef(value)
  useEffect(() => {
    if (before.current === value) return
    before.current = value
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    element.current?.animate({ boxShadow: [shown, gone] }, { duration: markMs, easing: 'ease-out' })
  }, [value])
}
