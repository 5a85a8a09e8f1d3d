// The registered domain of a name, by the list of public suffixes.
import t from 'tap'
import { publicSuffixes } from '../../src/domain/public-suffixes.ts'

t.test('the registered domain is one label more than the public suffix', async (t) => {
  const { getDomain, getPublicSuffix } = publicSuffixes()
  t.equal(getDomain('status.example.co.uk'), 'example.co.uk')
  t.equal(getPublicSuffix('status.example.co.uk'), 'co.uk')
  t.equal(getDomain('co.uk'), null)
})
