// Addresses: the sender taken apart, the recipient made unreadable.
import t from 'tap'
import { domainOf, mailboxOf, maskedAddress } from '../../src/mail/address.ts'

t.test('a sender is an address, with or without a name', async (t) => {
  t.same(mailboxOf('up@up.test'), { name: '', address: 'up@up.test' })
  t.same(mailboxOf(' Stillup <up@up.test> '), { name: 'Stillup', address: 'up@up.test' })
  t.same(mailboxOf('"Up, and away" <up@up.test>'), {
    name: 'Up, and away',
    address: 'up@up.test',
  })
})

t.test('the log gets the first letter and the domain of a recipient', async (t) => {
  t.equal(maskedAddress('ann.smith@up.test'), 'a…@up.test')
  t.equal(maskedAddress('"a@b"@up.test'), '"…@up.test')
  t.equal(maskedAddress('😀x@up.test'), '😀…@up.test', 'a character is never cut in two')
  t.equal(domainOf('"a@b"@up.test'), 'up.test')
})
