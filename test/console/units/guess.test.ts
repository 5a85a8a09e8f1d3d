// What a pasted address becomes.
import t from 'tap'
import { guessMonitor } from '../../../src/console/pages/monitors/editor/guess.ts'

const cases: readonly (readonly [text: string, kind: string | undefined, url?: string])[] = [
  ['example.com', 'endpoint', 'https://example.com'],
  ['  https://example.com/shop?x=1 ', 'endpoint', 'https://example.com/shop?x=1'],
  // Many health pages answer with plain text.
  ['https://example.com/healthz', 'endpoint'],
  ['192.0.2.1', 'ping', 'ping://192.0.2.1'],
  ['db.example.com:5432', 'tcp', 'tcp://db.example.com:5432'],
  ['mx.example.com:25', 'smtp', 'smtp://mx.example.com:25'],
  ['example.com:8080', 'endpoint', 'https://example.com:8080'],
  ['wss://example.com/live', 'websocket'],
  ['tls://example.com:993', 'ssl'],
  ['dns://example.com?type=MX', 'dns'],
  ['localhost:3000', 'endpoint'],
  ['ftp://example.com', undefined],
  ['two words', undefined],
  ['', undefined],
  ['https://', undefined],
]

t.test('an address is understood as people mean it', async (t) => {
  for (const [text, kind, url] of cases) {
    const guess = guessMonitor(text)
    t.equal(guess?.checkType, kind, text)
    if (url !== undefined) t.equal(guess?.url, url)
  }
  t.equal(guessMonitor('https://example.com/shop')?.name, 'example.com/shop')
  t.equal(guessMonitor('https://example.com/')?.name, 'example.com')
})
