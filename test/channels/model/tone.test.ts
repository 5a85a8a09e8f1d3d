// The colours of messages.
import t from 'tap'
import { colourOf } from '../../../src/channels/model/tone.ts'

t.test('each tone has a colour of its own', async (t) => {
  const tones = ['bad', 'warning', 'good', 'neutral'] as const
  const colours = tones.map(colourOf)
  t.equal(new Set(colours).size, tones.length)
  for (const colour of colours) t.match(colour, /^#[0-9a-f]{6}$/)
})
