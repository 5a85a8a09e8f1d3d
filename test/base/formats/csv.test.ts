// CSV: what a spreadsheet opens shows, and is never run.
import t from 'tap'
import { csvLine } from '../../../src/base/formats/csv.ts'

t.test('cells are quoted where they must be, and empty where there is nothing', async (t) => {
  t.equal(csvLine(['a', 1, null, 'b c']), 'a,1,,b c\r\n')
  t.equal(csvLine(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n')
})

t.test('a formula becomes text', async (t) => {
  const hostile = ['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")']
  for (const cell of hostile) {
    const line = csvLine([cell])
    t.match(line, /^"?'/, JSON.stringify(cell))
  }
  t.equal(csvLine(['a=b', 'x-y', -5]), 'a=b,x-y,-5\r\n', 'elsewhere it is harmless')
})
