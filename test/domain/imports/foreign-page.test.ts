// What status pages of other products have in common: each part arrives, or is named.
import t from 'tap'
import {
  headLinksOf,
  noteDomain,
  pageTimezoneOf,
} from '../../../src/domain/imports/foreign-page.ts'

function noting() {
  const notes: string[] = []
  return { notes, note: (text: string) => void notes.push(text) }
}

t.test('a link arrives, or is named', (t) => {
  const { notes, note } = noting()
  const links = ['https://a.test/', 'mailto:a@a.test', '/incidents', '', 'javascript:alert(1)']
  const of = (urls: readonly string[]) =>
    headLinksOf(
      urls.map((url, at) => [`L${at}`, url]),
      note,
    )
  t.same(of(links), {
    headLinks: [
      { label: 'L0', url: 'https://a.test/' },
      { label: 'L1', url: 'mailto:a@a.test' },
    ],
  })
  const noAddress = [
    'its link "/incidents" is no address',
    'its link "javascript:alert(1)" is no address',
  ]
  t.same(notes.splice(0), noAddress)
  t.match(of(Array.from({ length: 8 }, (_, at) => `https://${at}.test/`)).headLinks, { length: 6 })
  t.same(notes, ['its link "L6": a page has 6 links', 'its link "L7": a page has 6 links'])
  t.same(of([]), {})
  const long = headLinksOf([['x'.repeat(50), 'https://a.test/']], note)
  t.match(long, { headLinks: [{ label: /^.{40}$/u }] })
  t.end()
})

t.test('a time zone of Rails is one of IANA; another one is named, as is a domain', (t) => {
  const { notes, note } = noting()
  t.same(pageTimezoneOf('Berlin', note), { timezone: 'Europe/Berlin' })
  t.same(pageTimezoneOf('', note), {})
  t.same(pageTimezoneOf('Atlantis', note), {})
  noteDomain('', note)
  noteDomain('status.acme.test', note)
  t.match(notes, [/its time zone "Atlantis"/, /its domain status.acme.test/])
  t.end()
})
