// Sends a test to a channel, and says whether it arrived.
import { fetchData } from '../../api/client.ts'
import { act } from '../../parts/act.ts'
import { milliseconds } from '../../parts/time.tsx'
import { tell, tellProblem } from '../../parts/toast.tsx'
import { orgId } from '../../session.ts'
import { words } from '../../words/words.ts'

/** Resolves with whether it was sent. */
export function sendTest(channelId: string): Promise<boolean> {
  const texts = words.value.channels
  return act(async () => {
    const path = { orgId: orgId(), channelId }
    const { delivered, error, durationMs } = await fetchData('alert-channels.test', {
      path,
      body: {},
    })
    if (delivered) tell(texts.testArrived(milliseconds(durationMs)))
    else tellProblem(texts.testFailed(error ?? ''))
  })
}
