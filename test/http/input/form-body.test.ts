// Bodies of HTML forms: as browsers write them, each name once.
import t from 'tap'
import { formFields, isForm } from '../../../src/http/input/form-body.ts'

const typed = (type: string) => ({
  header: (name: string) => (name === 'content-type' ? type : ''),
})

t.test('a form is known by its type, whatever parameters follow', async (t) => {
  const form = 'application/x-www-form-urlencoded'
  for (const type of [form, form.toUpperCase(), `${form}; charset=utf-8`, ` ${form} `]) {
    t.equal(isForm(typed(type)), true, type)
  }
  for (const type of ['', 'application/json', 'multipart/form-data', 'text/plain', `${form}x`]) {
    t.equal(isForm(typed(type)), false, type)
  }
})

t.test(
  'fields are decoded, empty ones are absent, and a name that comes twice is refused',
  async (t) => {
    const read = (text: string) => formFields(Buffer.from(text))
    t.same(read('token=a%2Bb&totp=12+34'), { token: 'a+b', totp: '12 34' })
    t.same(read(''), {})
    t.same(read('token'), {})
    t.same(read('token=a&name='), { token: 'a' })
    t.throws(() => read('token=a&token=b'), { code: 'invalid_parameter' })
    t.throws(() => read('token=%zz'), { code: 'invalid_parameter' })
    const fields = read('__proto__=x&constructor=y')
    t.same(Object.entries(fields), [
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
    t.equal(Object.getPrototypeOf(fields), Object.prototype)
  },
)
