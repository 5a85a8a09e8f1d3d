// Texts in every charset, whoever names it: the bytes, the content type, or the document.
import t from 'tap'
import { textOf } from '../../../src/net/http-client/charset.ts'
import { fairMs } from '../../support/starvation.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

t.test('the first source that names a charset wins, in this order', async (t) => {
  const html = '<html><head><meta charset="iso-8859-1"><title>é</title>'
  const old = '<meta http-equiv=content-type content="text/html; charset=windows-1251">'
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'
  const rows: readonly [Buffer, string, string][] = [
    [Buffer.from('é'), '', 'é'],
    [Buffer.from('\ufeffé'), 'text/plain; charset=iso-8859-1', 'é'],
    [utf16('\ufeffé'), 'text/html; charset=utf-8', 'é'],
    [utf16('\ufeff{"a":1}').swap16(), 'application/json', '{"a":1}'],
    [utf16('é'), 'text/plain; charset=utf-16le', 'é'],
    [latin('é'), 'text/plain; charset="ISO-8859-1"', 'é'],
    [latin('é'), "text/plain; x=y ; charset = 'latin1'", 'é'],
    [latin('\xe9'), 'text/plain; charset=windows-1251', 'й'],
    [Buffer.from([0x82, 0xa0]), 'text/plain; charset=Shift_JIS', 'あ'],
    [latin(html), 'text/html', html],
    [latin(html), '', html],
    [latin(`${old}\xe9`), 'text/html', `${old}й`],
    [latin(xml), 'application/rss+xml', xml],
    [latin(xml), 'application/xhtml+xml', xml],
    [Buffer.from(html), 'text/html; charset=utf-8', html],
  ]
  for (const [bytes, contentType, text] of rows) t.equal(textOf(bytes, contentType), text, text)
})

t.test('without a known charset it is UTF-8, and invalid bytes are no error', async (t) => {
  const meta = '<meta charset=utf-16>é'
  t.equal(textOf(Buffer.from(meta), 'text/html'), meta)
  t.equal(textOf(Buffer.from('é'), 'text/plain; charset=klingon'), 'é')
  t.equal(textOf(Buffer.from('<meta charset=latin1>é'), 'application/json').at(-1), 'é')
  t.equal(textOf(Buffer.from([0x61, 0xff, 0xc3, 0x62]), ''), 'a\ufffd\ufffdb')
  const late = `${' '.repeat(2_000)}<meta charset=latin1>é`
  t.equal(textOf(Buffer.from(late), 'text/html'), late, 'only the beginning is searched')
  const startedMs = fairMs()
  textOf(Buffer.from('<meta '.repeat(170_000)), 'text/html')
  textOf(Buffer.from(`<?xml ${'encoding='.repeat(110_000)}`), 'text/xml')
  t.ok(fairMs() - startedMs < 500, 'and soon')
})
