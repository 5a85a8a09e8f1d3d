// Scripts of other products become actions, or at least open their first page.
import t from 'tap'
import { readScript } from '../../../../src/domain/imports/scripts/read-script.ts'

const read = (script: string) => {
  const notes: string[] = []
  return { found: readScript(script, (text) => notes.push(text)), notes: notes.join('\n') }
}

t.test('a script is read as far as it is understood', async (t) => {
  const open = "await page.goto('https://x.example/')"
  t.match(read(`${open}\nawait page.getByText('Cart').click()`).found, {
    url: 'https://x.example/',
    actions: { length: 1 },
  })
  const odd = read(`for (;;) { ${open} }`)
  t.match(odd.found, { url: 'https://x.example/', actions: [] })
  t.match(odd.notes, /only its first page is opened/)
  t.equal(read('nothing').found, undefined)
})
