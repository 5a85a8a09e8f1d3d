// How large an element is, for what depends on it.
import { useSignal } from '@preact/signals'
import { useCallback, useRef } from 'preact/hooks'

/** Width and height in CSS pixels, 0 while it is not in the document, and the ref of the element. */
export function useSize() {
  const size = useSignal({ widthPx: 0, heightPx: 0 })
  const observer = useRef<ResizeObserver>(undefined)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      observer.current?.disconnect()
      if (!element) return
      const look = () => {
        const { clientWidth: widthPx, clientHeight: heightPx } = element
        const { value: before } = size
        if (before.widthPx === widthPx && before.heightPx === heightPx) return
        size.value = { widthPx, heightPx }
      }
      look()
      observer.current = new ResizeObserver(look)
      observer.current.observe(element)
    },
    [size],
  )
  return { size: size.value, ref }
}
