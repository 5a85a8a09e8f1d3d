// What every export for another product reads of the document, and what it says that it did not.
import t from 'tap'
import { commentLines, outgoing } from '../../../src/domain/exports/outgoing.ts'
import { sampleId } from '../../support/outgoing-samples.ts'

const channels = [
  { id: sampleId('chn', 1), name: 'All', isDefault: true },
  { id: sampleId('chn', 2), name: 'Shop', isDefault: true, tags: ['shop'], minSeverity: 'down' },
  { id: sampleId('chn', 3), name: 'Night', isDefault: false, delayMinutes: 5 },
]
const monitors = [
  { id: sampleId('mon', 1), name: 'Blog', sloPercent: 99, timeoutMs: 10_000, runbookUrl: null },
  { id: sampleId('mon', 2), name: 'Cart', tags: ['shop'] },
  { id: sampleId('mon', 3), name: 'Job', notifyChannelIds: [sampleId('chn', 3)] },
  { id: sampleId('mon', 4), name: 'Both', memberIds: [sampleId('mon', 1)], alertsNobody: true },
]

t.test(
  'a monitor alerts nobody, its channels, or the default ones with a tag of its own',
  async (t) => {
    const { monitors: all, channelsOf, groupsOf, notes } = outgoing({ channels, monitors }, [])
    const names = all.map((monitor) => channelsOf(monitor).map(({ name }) => name))
    t.same(names, [['All'], ['All', 'Shop'], ['Night'], []])
    t.same(
      all.map((monitor) => groupsOf(monitor).map(({ name }) => name)),
      [['Both'], [], [], []],
    )
    t.same(notes.all(), [
      { name: 'Shop', text: 'not in it: minSeverity' },
      { name: 'Night', text: 'not in it: delayMinutes' },
    ])
  },
)

t.test('maintenance windows that the document lacks are named, a few of them', async (t) => {
  const ended = Array.from({ length: 7 }, (_, at) => ({ name: `Work ${at}`, reason: 'ended' }))
  const windowsOmitted = [...ended, { name: 'Old shop', reason: 'no_monitors' }]
  const texts = outgoing({ windowsOmitted }, []).notes.all()
  t.same(texts, [
    {
      name: null,
      text: 'not in it: maintenance windows that are over (7): Work 0, Work 1, Work 2, Work 3, Work 4, …',
    },
    {
      name: null,
      text: 'not in it: maintenance windows whose monitors were deleted (1): Old shop',
    },
  ])
})

t.test('what somebody set and nobody read is unsaid', async (t) => {
  const secretsOmitted = [
    '/monitors/0/headers/X~1Key',
    '/monitors/0/pushToken',
    '/monitors/1/password',
  ]
  const [blog] = outgoing({ monitors, secretsOmitted, statusPages: [{}] }, ['statusPages']).monitors
  t.same(blog?.unsaid(), ['sloPercent'])
  t.equal(blog?.number('sloPercent'), 99)
  t.same(blog?.unsaid(), [])
  t.same(blog?.omittedIn('headers'), ['X/Key'])
  t.equal(
    commentLines([{ name: 'A\nb', text: 'x' }]),
    '# - "A b": x\n',
    'a comment has no second line',
  )
})
