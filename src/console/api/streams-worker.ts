// The worker that all tabs of a browser share: it holds their event streams.
import { createStreamHub, type StreamMessage, type WantedOrgId } from './stream-hub.ts'

const connect = createStreamHub()

// TypeScript has the types of documents here, which lack the `connect` event of shared workers.
addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (!port) return
  const say = connect((message: StreamMessage) => port.postMessage(message))
  port.onmessage = ({ data }: MessageEvent<WantedOrgId>) => say(data)
})
