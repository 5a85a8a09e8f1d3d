// How people say what on a page they mean.
import t from 'tap'
import { actionInWords, completedAction } from '../../../src/domain/browser/action.ts'
import { readSelector } from '../../../src/domain/browser/selector.ts'

t.test('a selector is CSS, or says what a person would', async (t) => {
  t.same(readSelector('form > input[name="q"]'), {
    by: 'css',
    text: 'form > input[name="q"]',
    isExact: true,
  })
  t.same(readSelector('text=Sign in'), { by: 'text', text: 'Sign in', isExact: false })
  t.same(readSelector('text="Sign in"'), { by: 'text', text: 'Sign in', isExact: true })
  t.same(readSelector('role=button[name=Sign in]'), {
    ...{ by: 'role', text: 'button', name: 'Sign in', isExact: false },
  })
  t.same(readSelector('role=button[name="a]b"]'), {
    ...{ by: 'role', text: 'button', name: 'a]b', isExact: true },
  })
  t.same(readSelector('role=navigation'), { by: 'role', text: 'navigation', isExact: true })
  t.equal(readSelector('role=<b>').text, '')
})

t.test('an action in words names what a person sees, and no secret', async (t) => {
  const words = (fields: Parameters<typeof completedAction>[0]) =>
    actionInWords(completedAction(fields))
  t.equal(words({ action: 'click', selector: 'role=button[name="Buy"]' }), 'click “Buy”')
  t.equal(words({ action: 'fill', selector: 'label=PIN', value: '{{pin}}' }), 'fill “PIN”')
  t.equal(words({ action: 'open', value: '/cart' }), 'open /cart')
  t.equal(words({ action: 'press', value: 'Enter' }), 'press Enter')
  t.equal(words({ action: 'press', selector: '#q', value: 'Enter' }), 'press Enter in “#q”')
  t.equal(words({ action: 'select', selector: 'label=Size', value: 'L' }), 'select “Size”')
  t.equal(words({ action: 'wait', value: '500' }), 'wait 500 ms')
  t.equal(words({ action: 'wait', selector: '.s', value: 'hidden' }), 'wait until “.s” is gone')
  t.equal(words({ action: 'wait', selector: 'text=Done' }), 'wait for “Done”')
  t.equal(words({ action: 'expect', value: 'Hello' }), 'expect “Hello”')
  t.equal(words({ action: 'expect', selector: 'h1', value: 'Hi' }), 'expect “Hi” in “h1”')
})
