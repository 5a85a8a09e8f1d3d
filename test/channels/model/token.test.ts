// Tokens that become a header: what is stored of them, and what is refused.
import t from 'tap'
import { object, optional } from '../../../src/base/schema/schema.ts'
import { createCheck } from '../../../src/base/schema/validate.ts'
import { tokenText, withTrimmedTokens } from '../../../src/channels/model/token.ts'
import { channelDefinitions } from '../../../src/channels/registry.ts'

const words = { description: 'a token', example: 'tk_1' }
const schema = object({ token: tokenText(words), other: optional(tokenText(words)) })
const problemsOf = createCheck(schema, 5)

t.test('a token is printable ASCII, and white space around it is not stored', async (t) => {
  for (const token of ['tk_1', ' tk_1', 'tk_1\r\n', '\u00a0tk_1\t']) {
    t.same(problemsOf({ token }), [], JSON.stringify(token))
    t.same(withTrimmedTokens(schema, { token }), { token: 'tk_1' })
  }
  for (const token of ['', ' \n', 'tk 1', 'tk\n1', 'tk\r\nx: 1', 'tk\0', 'tkł', 'tk€', 'tké']) {
    t.match(problemsOf({ token }), [{ pointer: '/token' }], JSON.stringify(token))
  }
  t.match(problemsOf({ token: 'tk\n1' }), [
    { message: 'must be printable ASCII without spaces and line breaks' },
  ])
})

t.test('other fields keep their spaces: a password may begin with one', async (t) => {
  const [ntfy] = channelDefinitions.filter(({ type }) => type === 'ntfy')
  const config = { token: ' tk_1 ', password: ' secret ', topic: 1 }
  t.same(ntfy && withTrimmedTokens(ntfy.config, config), { ...config, token: 'tk_1' })
})
