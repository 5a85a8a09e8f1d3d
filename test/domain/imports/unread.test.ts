// What could not be read of another product is named once, before all else.
import t from 'tap'
import { withUnread } from '../../../src/domain/imports/unread.ts'

t.test('one line names what is missing, and none is there if nothing is', async (t) => {
  const document = { monitors: [], notes: [{ name: 'Shop', text: 'a note' }] }
  t.equal(withUnread({ unread: [] }, document), document)
  t.equal(withUnread(null, document), document)
  const answers = [{ unread: ['teams (no)', 'teams (no)'] }, { unread: ['incidents (no)'] }, 7]
  t.same(withUnread(answers, document).notes, [
    {
      name: null,
      text: 'what could not be read there, and is missing: teams (no); incidents (no)',
    },
    { name: 'Shop', text: 'a note' },
  ])
})
