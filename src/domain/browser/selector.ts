// Selectors: how an action says what on the page it means. CSS, or what a person would say, as Playwright has it:
// `text=Sign in`, `label=E-mail`, `placeholder=Search`, `role=button[name="Sign in"]`, `testid=total`.

export interface Selector {
  readonly by: 'css' | 'text' | 'label' | 'placeholder' | 'testid' | 'role'
  /** The selector in CSS, the text, or the role. */
  readonly text: string
  /** role: the accessible name. */
  readonly name?: string
  /** The whole text is meant, in this case; else a part of it in any case. */
  readonly isExact: boolean
}

const engines = ['css', 'text', 'label', 'placeholder', 'testid', 'role'] as const
const form = /^\s*(css|text|label|placeholder|testid|role)=([\s\S]*)$/
const roleForm = /^([a-z]+)(?:\[name=([\s\S]*)\])?$/

export function readSelector(selector: string): Selector {
  const [, engine, rest = ''] = form.exec(selector) ?? []
  const by = engines.find((one) => one === engine)
  if (by === undefined) return { by: 'css', text: selector.trim(), isExact: true }
  const text = rest.trim()
  if (by !== 'role') return { by, ...quoted(text) }
  const [, role = '', name] = roleForm.exec(text) ?? []
  if (name === undefined) return { by, text: role, isExact: true }
  const { text: named, isExact } = quoted(name.trim())
  return { by, text: role, name: named, isExact }
}

/** In quotes, a text is meant exactly. */
function quoted(text: string): Pick<Selector, 'text' | 'isExact'> {
  const [, , inner] = /^(["'])([\s\S]*)\1$/.exec(text) ?? []
  return inner === undefined ? { text, isExact: false } : { text: inner, isExact: true }
}

/** What is wrong with it, as a sentence without its subject, or null. Whether it is CSS, the browser says. */
export function selectorProblem(selector: string): string | null {
  const { by, text } = readSelector(selector)
  if (by === 'role' && text === '') {
    return 'must name a role, such as role=button or role=button[name="Sign in"]'
  }
  return text === '' ? `must say something after ${by}=` : null
}
