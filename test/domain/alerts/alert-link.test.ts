// The address that alerts link to.
import t from 'tap'
import { alertPageUrl } from '../../../src/domain/alerts/alert-link.ts'

t.test('an alert links to a page of the service, below its public address', async (t) => {
  t.equal(alertPageUrl('https://up.test', 'token'), 'https://up.test/alerts/token')
})
