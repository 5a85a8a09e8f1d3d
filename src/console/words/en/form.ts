// What is wrong with a field, where the API's schema does not say it in words.
import { counted } from '../plural.ts'

export const form = {
  rules: {
    required: 'Fill this in',
    number: 'Type a number',
    minLength: counted('At least # character', 'At least # characters', 'en'),
    maxLength: counted('At most # character', 'At most # characters', 'en'),
    minimum: (least: number) => `At least ${least}`,
    maximum: (most: number) => `At most ${most}`,
    name: 'This name is not possible here',
    other: 'This value is not possible here',
  },
}
