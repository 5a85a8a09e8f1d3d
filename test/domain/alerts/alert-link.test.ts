// The address that alerts link to.
import t from 'tap'
import {
  actingChannelId,
  alertPageUrl,
  channelActor,
} from '../../../src/domain/alerts/alert-link.ts'
import { channelA } from '../../support/make-incident.ts'

t.test('an alert links to a page of the service, below its public address', async (t) => {
  t.equal(alertPageUrl('https://up.test', 'token'), 'https://up.test/alerts/token')
})

t.test('who acted by the link of a channel is named by the channel', async (t) => {
  const by = channelActor(channelA)
  t.equal(by, `channel:${channelA}`)
  t.equal(actingChannelId(by), channelA)
  t.equal(actingChannelId('usr_01k0000000000000000000000a'), undefined)
  t.equal(actingChannelId('channel:somewhere'), undefined)
})
