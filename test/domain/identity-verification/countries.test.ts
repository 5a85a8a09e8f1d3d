// Country codes: complete, each once, and two spellings of one country are one.
import t from 'tap'
import { countryCode } from '../../../src/domain/identity-verification/countries.ts'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const pairs = letters.flatMap((first) => letters.map((second) => first + second))
const triples = pairs.flatMap((pair) => letters.map((third) => pair + third))

t.test('every country is there once, and has a name', (t) => {
  const codes = pairs.filter((pair) => countryCode(pair) === pair)
  t.equal(codes.length, 249)
  t.same(triples.flatMap((triple) => countryCode(triple) ?? []).sort(), codes)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  t.same(
    codes.filter((code) => !names.of(code)),
    [],
  )
  t.end()
})

t.test('two letters and three mean the same country, in any case', (t) => {
  const spellings = { DE: 'DEU', AT: 'AUT', CH: 'CHE', GB: 'GBR', US: 'USA', ES: 'ESP', SE: 'SWE' }
  for (const [alpha2, alpha3] of Object.entries(spellings)) {
    for (const text of [alpha2, alpha3, alpha2.toLowerCase(), alpha3.toLowerCase()]) {
      t.equal(countryCode(text), alpha2, text)
    }
  }
  t.end()
})

t.test('an invalid country code is refused', (t) => {
  // The last one is two letters in capitals: SS is South Sudan.
  for (const text of ['', 'D', 'XX', 'ZZZ', 'EU', 'UK', 'Germany', 'DE ', 'constructor', 'ß']) {
    t.equal(countryCode(text), undefined, text)
  }
  t.end()
})
