// What is wrong with a field, in German.
import { counted } from '../plural.ts'
import type { Words } from '../words.ts'

export const form: Words['form'] = {
  rules: {
    required: 'Bitte ausfüllen',
    number: 'Bitte eine Zahl eingeben',
    minLength: counted('Mindestens # Zeichen', 'Mindestens # Zeichen', 'de'),
    maxLength: counted('Höchstens # Zeichen', 'Höchstens # Zeichen', 'de'),
    minimum: (least) => `Mindestens ${least}`,
    maximum: (most) => `Höchstens ${most}`,
    name: 'Dieser Name ist hier nicht möglich',
    other: 'Dieser Wert ist hier nicht möglich',
  },
}
