// Keys that can be pressed, as browsers name them.
import t from 'tap'
import { isKey, readKey } from '../../../src/domain/browser/keys.ts'

t.test('a key is what a browser calls it, with its modifiers', async (t) => {
  t.same(readKey('Enter'), {
    ...{ key: 'Enter', code: 'Enter', keyCode: 13, modifiers: 0, text: '\r' },
  })
  t.same(readKey('a'), { key: 'a', code: 'KeyA', keyCode: 65, modifiers: 0, text: 'a' })
  t.same(readKey('Control+Shift+7'), { key: '7', code: 'Digit7', keyCode: 55, modifiers: 10 })
  t.equal(readKey('Space')?.key, ' ')
  t.ok(isKey('F12'))
  for (const wrong of ['', 'F13', 'ab', 'constructor', 'toString+a', 'Control+', '+']) {
    t.notOk(isKey(wrong), wrong)
  }
})
