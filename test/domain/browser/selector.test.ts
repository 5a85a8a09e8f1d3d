// How people say what on a page they mean.
import t from 'tap'
import { actionInWords, completedAction } from '../../../src/domain/browser/action.ts'
import { readSelector, selectorProblem } from '../../../src/domain/browser/selector.ts'

t.test('a selector is CSS, or says what a person would', async (t) => {
  const only = (selector: string) => readSelector(selector)[0]
  t.same(only('form > input[name="q"]'), {
    by: 'css',
    text: 'form > input[name="q"]',
    isExact: true,
  })
  t.same(only('text=Sign in'), { by: 'text', text: 'Sign in', isExact: false })
  t.same(only('text="Sign in"'), { by: 'text', text: 'Sign in', isExact: true })
  t.same(only('text=/sign (in|up)/i'), {
    ...{ by: 'text', text: 'sign (in|up)', isExact: false, flags: 'i' },
  })
  t.match(only('role=button[name=Sign in]')?.name, { text: 'Sign in', isExact: false })
  t.match(only('role=button[name="a]b"]')?.name, { text: 'a]b', isExact: true })
  t.same(only('role=navigation'), { by: 'role', text: 'navigation', isExact: true })
  t.match(only('role=heading[level=2][name=Tea]'), { states: { level: '2' } })
  t.equal(only('role=<b>')?.text, '')
})

t.test('a selector may have parts, each of which is looked for in the one before', async (t) => {
  const parts = (selector: string) => readSelector(selector).map(({ by, text }) => [by, text])
  t.same(parts('li >> has-text=Tea >> role=button >> nth=-1'), [
    ...[
      ['css', 'li'],
      ['has-text', 'Tea'],
      ['role', 'button'],
      ['nth', '-1'],
    ],
  ])
  t.same(parts('text="a >> b" >> [title="x >> y"]'), [
    ['text', 'a >> b'],
    ['css', '[title="x >> y"]'],
  ])
  t.equal(selectorProblem('li >> nth=0'), null)
  t.match(selectorProblem('nth=0'), /must say first what is meant/)
  t.match(selectorProblem('li >> nth=one'), /a number after nth=/)
  t.match(selectorProblem('li >> '), /must say something after css=/)
  t.match(selectorProblem('enter-frame >> a'), /must say first what is meant, before enter-frame/)
  t.match(selectorProblem('iframe >> enter-frame'), /must say after enter-frame what is meant/)
  t.match(selectorProblem('iframe >> enter-frame >> nth=0'), /must say first what is meant/)
  t.match(selectorProblem('text=/(/'), /cannot be read: \/\(\/$/)
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
  t.equal(words({ action: 'doubleClick', selector: 'text=Tea >> nth=0' }), 'double click “Tea”')
  t.equal(words({ action: 'expectCount', selector: 'li', value: '3' }), 'expect 3 of “li”')
  t.equal(words({ action: 'expectUrl', value: '/in' }), 'expect the URL /in')
})
