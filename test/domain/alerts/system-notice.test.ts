// News of the service itself: one sentence that says what, and how bad it is.
import t from 'tap'
import {
  channelNotice,
  clockNotice,
  diskNotice,
  gapNotice,
  systemNoticePayload,
} from '../../../src/domain/alerts/system-notice.ts'
import { orgA } from '../../support/make-incident.ts'

t.test('a gap names its beginning and its end', async (t) => {
  const notice = gapNotice('https://up.test', { fromMs: 0, toMs: 3_600_000 })
  t.match(notice, { kind: 'gap', isOver: true })
  t.match(notice.text, 'from 1 January 1970, 00:00 UTC to 1 January 1970, 01:00 UTC')
})

t.test('a disk says how much is free, and what follows', async (t) => {
  const free = 300 * 1024 ** 2
  t.match(diskNotice('https://up.test', 'low', free), { isOver: false, text: /300 MiB is free/ })
  t.match(diskNotice('https://up.test', 'full', 0), { isOver: false, text: /nothing new can be/ })
  t.match(diskNotice('https://up.test', 'ok', free), { isOver: true })
})

t.test('a wrong clock says what it shows, and that nothing opens', async (t) => {
  const shownMs = Date.parse('2021-03-04T05:06:00Z')
  const [behind, unproven, right] = (['behind', 'unproven', 'right'] as const).map((state) =>
    clockNotice('https://up.test', state, shownMs),
  )
  t.match(behind, { kind: 'clock', isOver: false, text: /shows 4 March 2021, 05:06 UTC, a time/ })
  t.match(unproven, { kind: 'clock', isOver: false, text: /have expired, and none was valid/ })
  t.match(right, { kind: 'clock', isOver: true })
  for (const notice of [behind, unproven]) t.match(notice?.text, /nothing opens/)
})

t.test('a payload contains the notice and nothing else', async (t) => {
  const notice = channelNotice('Acme', 'Pager', false)
  t.same(systemNoticePayload(orgA, notice, 0), {
    type: 'system.notice',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: { orgId: orgA, notice },
  })
  t.match(channelNotice('Acme', 'Pager', true), { isOver: true, title: /arrive again/ })
})
