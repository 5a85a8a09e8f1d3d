// English: one of a thing, and several.
import t from 'tap'
import { en } from '../../../src/channels/words/en.ts'

t.test('one day is a day, one incident an incident', async (t) => {
  t.equal(en.certificateExpires('Shop', 1), 'The certificate of Shop expires in 1 day')
  t.equal(en.domainExpires('shop.test', 7), 'The domain shop.test expires in 7 days')
  t.equal(en.certificateExpires('Shop', 0), 'The certificate of Shop expires in less than a day')
  t.equal(en.incidentsOpened(1), '1 incident opened')
})
