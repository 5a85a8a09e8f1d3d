// A brief mark around what has just changed, for somebody who looks at it or next to it.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

const [shown, gone] = ['inset 0 0 0 3px var(--tone, var(--accent))', 'inset 0 0 0 3px transparent']
/** A shadow is painted anew by each step, which a list in a storm could not afford sixty times a second. */
const marking = { duration: 1_600, easing: 'steps(8)' }
/** Where more than these change at once, all of it is news, and marks would tell nothing. */
const marksMax = 3

/** The marks of a list, or of a page: together they are bounded. */
export function createTurnMarks() {
  let marksShown = 0
  /**
   * Marks the element when the value changes while it is shown; not for people who asked for less motion.
   * Only what is drawn pays for it: a list draws the rows in view.
   */
  return function useTurnMark(element: RefObject<HTMLElement | null>, value: unknown): void {
    const before = useRef(value)
    useEffect(() => {
      if (before.current === value) return
      before.current = value
      if (marksShown >= marksMax || matchMedia('(prefers-reduced-motion: reduce)').matches) return
      const mark = element.current?.animate({ boxShadow: [shown, gone] }, marking)
      if (!mark) return
      marksShown += 1
      // Also where it ends early, as its row goes out of view.
      const over = () => (marksShown -= 1)
      mark.finished.then(over, over)
    }, [value])
  }
}
