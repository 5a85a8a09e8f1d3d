// YAML that other products read as it was meant.
import t from 'tap'
import { parse } from 'yaml'
import { variableText, withVariables, yamlText } from '../../../src/domain/exports/yaml-text.ts'

t.test('texts that could be something else have quotes, and variables always', async (t) => {
  const value = { on: 'yes', time: '23:00', code: '0123', lines: 'a\nb', none: undefined }
  const text = yamlText(value)
  t.match(text, /"on": "yes"/)
  t.same(parse(text, { version: '1.1' }), { on: 'yes', time: '23:00', code: '0123', lines: 'a\nb' })
  const secret = { token: `Bearer ${variableText('TOKEN')}`, price: '5 $' }
  t.equal(withVariables(yamlText(secret)), `token: "Bearer \${TOKEN}"\nprice: 5 $$\n`)
})
