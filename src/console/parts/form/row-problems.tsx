// What is wrong with a row of a list, such as an assertion: said below it, and marked at its fields.
import { isWithin } from '../../base/pointer.ts'
import type { Form } from './form.ts'

/** `at`: the pointer of the row. `wrong` gives the attributes of a field in it. */
export function problemsOfRow(form: Form, at: string) {
  const problems = [...form.fieldProblems.value.values()].filter(
    ({ pointer }) => pointer === at || isWithin(pointer, at),
  )
  const helpId = `${form.idOf(at)}-help`
  return {
    wrong: (name: string) => ({
      'aria-invalid': problems.some(({ pointer }) => pointer === `${at}/${name}`),
      'aria-describedby': problems.length > 0 ? helpId : undefined,
    }),
    problemsShown: problems.length > 0 && (
      <div id={helpId} class="help wrong">
        {problems.map(({ pointer, message, lang }) => (
          <p key={pointer} lang={lang}>
            {message}
          </p>
        ))}
      </div>
    ),
  }
}
