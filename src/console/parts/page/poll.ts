// Reads again and again while something runs.
import { useEffect, useRef } from 'preact/hooks'

const usualMs = 1_000

/** A reading that takes longer than the pause is not overtaken by the next one. */
export function usePoll(isOn: boolean, read: () => Promise<unknown>, everyMs = usualMs): void {
  const newest = useRef(read)
  newest.current = read
  useEffect(() => {
    if (!isOn) return undefined
    let isReading = false
    const timer = setInterval(() => {
      if (isReading || document.visibilityState !== 'visible') return
      isReading = true
      void newest.current().finally(() => {
        isReading = false
      })
    }, everyMs)
    return () => clearInterval(timer)
  }, [isOn])
}
