// What is wrong with a field, by the rule that it breaks.
import { counted } from '../model/plural.ts'

export const form = {
  rules: {
    required: 'Fill this in',
    number: 'Type a number',
    minLength: counted('At least # character', 'At least # characters', 'en'),
    maxLength: counted('At most # character', 'At most # characters', 'en'),
    minimum: (least: number) => `At least ${least}`,
    maximum: (most: number) => `At most ${most}`,
    minItems: counted('At least # entry', 'At least # entries', 'en'),
    maxItems: counted('At most # entry', 'At most # entries', 'en'),
    uniqueItems: 'Each entry only once',
    const: (only: string) => `Only ${only}`,
    enum: (all: string) => `One of ${all}`,
    unknownField: 'This field does not exist here',
    oneOf: 'Only one of these fields can be filled in',
    not: 'These fields exclude each other',
    name: (rule: string) => `The name: ${rule}`,
    types: {
      string: 'Text',
      number: 'A number',
      integer: 'A whole number',
      boolean: 'Yes or no',
      object: 'Fields with names',
      array: 'A list',
    },
    formats: { email: 'An e-mail address such as ann@example.com' },
  },
  /** The rules of the API in another language, by their English text. */
  forms: {} as Readonly<Record<string, string>>,
}
