// Text of other products in the form in which monitors send it.
import t from 'tap'
import { sentText } from '../../../src/domain/imports/sent-text.ts'
import { bytesToSend } from '../../../src/probes/run/escapes.ts'

t.test('a text is sent as it was there', async (t) => {
  for (const text of ['plain', 'a\\b', 'HELO x\r\n', '\t\\n', '']) {
    t.equal(bytesToSend(sentText(text)).toString(), text)
  }
})
