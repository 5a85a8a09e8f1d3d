// Reads again what live events say has changed.
import { useEffect, useRef } from 'preact/hooks'
import { onLive } from '../../api/live.ts'
import type { AnyLiveEvent } from '../../api/live-events.ts'
import { settled } from '../../base/settled.ts'

/** A storm of events must not ask again in each frame. */
const pace = { quietMs: 100, everyMs: 2_500 }

/** `isOurs` tells which events change what is read; a gap in the stream may have hidden one. */
export function useLiveReload(
  isOurs: (event: AnyLiveEvent) => boolean,
  read: () => Promise<unknown>,
): void {
  const newest = useRef({ isOurs, read })
  newest.current = { isOurs, read }
  useEffect(() => {
    const reload = settled(() => newest.current.read(), pace)
    const end = onLive((events) => {
      const { isOurs } = newest.current
      if (events.some((event) => event.type === 'stream.gap' || isOurs(event))) reload()
    })
    return () => {
      end()
      reload.stop()
    }
  }, [])
}
