// A table of subscribers: which columns it may have, and which rows come.
import t from 'tap'
import { columnOf, readSubscriberTable } from '../../../src/domain/subscribers/subscriber-table.ts'

t.test('columns are found by what tables call them, and a row says what it has', async (t) => {
  const text = 'E-Mail;Confirmed at;Status page\nann@r.test;2025-03-01;acme\n'
  t.match(readSubscriberTable(text, 'our shop'), {
    rows: [
      {
        no: 2,
        page: 'acme',
        given: {
          address: 'ann@r.test',
          consent: { source: 'our shop', confirmedAt: '2025-03-01' },
        },
      },
    ],
    unconfirmed: 0,
  })
})

t.test('an export comes back without those who had not confirmed', async (t) => {
  const text = [
    'id,kind,address,state,language,sections,confirmedAt,createdAt,source',
    'sub_1,webhook,https://r.test/x,active,de,Shop; Mail,2025-03-01T00:00:00Z,2025-03-01T00:00:00Z,here',
    'sub_2,email,bob@r.test,pending,en,,,2025-03-01T00:00:00Z,',
  ].join('\r\n')
  const { rows, unconfirmed } = readSubscriberTable(text, undefined)
  t.equal(unconfirmed, 1)
  t.match(rows, [
    {
      given: {
        kind: 'webhook',
        language: 'de',
        sectionNames: ['Shop', 'Mail'],
        consent: { source: 'here' },
      },
    },
  ])
})

t.test('a table without addresses is refused; its fields are named as its columns', async (t) => {
  t.throws(() => readSubscriberTable('name,phone\nAnn,1\n', undefined), {
    message: /must begin with a row of column names, among them email/,
  })
  t.same(
    ['/address', '/consent/confirmedAt', '/consent', '/sectionNames/0', '/kind'].map(columnOf),
    ['email', 'confirmedAt', 'confirmedAt', 'sections', 'kind'],
  )
})
