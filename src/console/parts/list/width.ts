// How wide an element is, for what depends on it.
import { useSignal } from '@preact/signals'
import { useCallback, useRef } from 'preact/hooks'

/** The width in CSS pixels, 0 while it is not in the document, and the ref of the element. */
export function useWidth() {
  const widthPx = useSignal(0)
  const observer = useRef<ResizeObserver>(undefined)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      observer.current?.disconnect()
      if (!element) return
      const look = () => {
        widthPx.value = element.clientWidth
      }
      look()
      observer.current = new ResizeObserver(look)
      observer.current.observe(element)
    },
    [widthPx],
  )
  return { widthPx: widthPx.value, ref }
}
