// What a member should know since the last look, over HTTP and in the bar of the console.
import t from 'tap'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'

t.test('a look counts for the person, and a key has none', async (t) => {
  const daemon = await startDaemon(t)
  const owner = await register(daemon, 'nora')
  const { org, cookie } = owner
  const path = `/api/v1${org}/activity`
  await daemon.need('POST', `${org}/incidents`, { cookie, json: { title: 'Mail is slow' } })
  const found = await daemon.need('GET', `${org}/activity`, { cookie })
  t.match(found, { unread: 1, items: [{ kind: 'incident.opened', title: 'Mail is slow' }] })
  await daemon.need('POST', `${org}/activity/seen`, { cookie })
  const seen = await daemon.need('GET', `${org}/activity`, { cookie })
  t.match(seen, { unread: 0, items: [{ title: 'Mail is slow' }] })
  t.not(seen.seenAt, found.seenAt)
  const key = await mintKey(daemon, owner)
  t.equal((await daemon.ask('GET', path, { key })).status, 403)
  const stranger = await register(daemon, 'eve')
  t.equal((await daemon.ask('GET', path, { cookie: stranger.cookie })).status, 404)
})
