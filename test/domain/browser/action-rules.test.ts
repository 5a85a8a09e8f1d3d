// What an action must say, by its name.
import t from 'tap'
import { type BrowserAction, completedAction } from '../../../src/domain/browser/action.ts'
import {
  actionsProblems,
  openings,
  secretsNamedBy,
} from '../../../src/domain/browser/action-rules.ts'

function problem(fields: Partial<BrowserAction>, variables = {}): string | undefined {
  const [first] = actionsProblems({ actions: [completedAction(fields)], variables })
  return first && `${first.pointer} ${first.message}`
}

t.test('an action has what it needs, and nothing that would have no effect', async (t) => {
  const good: readonly Partial<BrowserAction>[] = [
    { action: 'open', value: '/cart?id={{$uuid}}' },
    { action: 'open', value: 'https://shop.example.com/' },
    { action: 'click', selector: 'role=button[name="Sign in"]' },
    { action: 'fill', selector: 'label=E-mail', value: '' },
    { action: 'press', value: 'Control+a' },
    { action: 'wait', value: '500' },
    { action: 'wait', selector: '.spinner', value: 'hidden' },
    { action: 'expect', selector: 'h1' },
    { action: 'expect', value: 'Welcome' },
    { action: 'expect', selector: 'h1', value: '/order \\d{3}/i' },
    { action: 'hover', selector: 'nav >> text=More' },
    { action: 'expectUrl', value: '/welcome' },
    { action: 'expectTitle', value: '"Shop"' },
    { action: 'expectCount', selector: 'li', value: '0' },
    { action: 'expectState', selector: '#terms', value: 'checked' },
  ]
  for (const action of good) t.equal(problem(action), undefined, JSON.stringify(action))
  const bad: readonly (readonly [Partial<BrowserAction>, RegExp])[] = [
    [{ action: 'open' }, /value is required for open/],
    [{ action: 'open', value: 'file:///etc/passwd' }, /value must be relative to the url/],
    [{ action: 'open', value: ' javascript:alert(1)' }, /value must be relative/],
    [{ action: 'open', value: 'data:text/html,hi' }, /value must be relative/],
    [{ action: 'click' }, /selector is required for click/],
    [{ action: 'click', selector: 'a', value: 'b' }, /value must be absent for click/],
    [{ action: 'click', selector: 'text=' }, /selector must say something after text=/],
    [{ action: 'click', selector: 'role=' }, /selector must name a role/],
    [{ action: 'press', value: 'Hyper+x' }, /value must be a key such as/],
    [{ action: 'wait', value: '10001' }, /value must be milliseconds from 1 to 10000/],
    [{ action: 'wait', selector: 'p', value: '5' }, /value must be absent, or hidden/],
    [{ action: 'expect' }, /value is required without a selector/],
    [{ action: 'expect', value: '/(/' }, /value has a regular expression that cannot be read/],
    [{ action: 'expectTitle', value: '/{{$uuid}}/' }, /value must have no placeholders in a reg/],
    [{ action: 'expectUrl', selector: 'a', value: '/x' }, /selector must be absent for expectUrl/],
    [{ action: 'upload', selector: 'a', value: '../a\nb' }, /value must begin with the name of a/],
    [{ action: 'popup', value: 'open' }, /value must be absent, or close/],
    [{ action: 'expectCount', selector: 'li', value: '-1' }, /value must be a number from 0 to/],
    [{ action: 'expectState', selector: 'li', value: 'nice' }, /value must be one of checked, /],
    [{ action: 'expect', value: '{{nobody}}' }, /value names \{\{nobody\}\}, which is no variable/],
    [{ action: 'expect', value: '{{a b}}' }, /value has \{\{a b\}\}, which is no placeholder/],
  ]
  for (const [action, rule] of bad) t.match(problem(action), rule)
  t.equal(problem({ action: 'fill', selector: 'a', value: '{{pw}}' }, { pw: 'x' }), undefined)
})

t.test('what actions name is known: servers, and secrets of the organization', async (t) => {
  const actions = [
    completedAction({ action: 'open', value: 'https://id.example.com/' }),
    completedAction({ action: 'fill', selector: 'a', value: '{{secret.PIN}} {{secret.PIN}}' }),
  ]
  t.same(openings(actions), [{ url: 'https://id.example.com/', index: 0 }])
  t.same(secretsNamedBy(actions), ['PIN'])
})
