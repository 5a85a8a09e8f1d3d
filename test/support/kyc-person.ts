// What a person submits of themselves in tests: the least, and everything.
import type { PersonalFields } from '../../src/domain/identity-verification/kyc.ts'

export const person = {
  firstName: 'Wilhelmina',
  lastName: 'Quackenbush',
  email: 'mina.quackenbush@private.example',
  dateOfBirth: '1985-10-26',
  country: 'NL',
} as const satisfies PersonalFields

export const fullFields = {
  ...person,
  phone: '+31 20 555 0147',
  identityNumbers: { passport: 'NX7Q2MWKP', bsn: '183502947' },
  gender: 'female',
  address: {
    street: 'Keizersgracht 4711',
    street2: 'achterhuis rechts',
    city: 'Zwaluwenburg',
    state: 'Noord-Holland',
    postalCode: '1016 ZQ',
    country: 'Nederland',
  },
} as const satisfies PersonalFields

/** Every text of it that nobody else has: to be found nowhere. */
export const privateTexts: readonly string[] = [
  ...['Wilhelmina', 'Quackenbush', 'mina.quackenbush', '1985-10-26', '+31 20 555 0147'],
  ...['NX7Q2MWKP', '183502947', 'Keizersgracht', 'achterhuis', 'Zwaluwenburg', 'Noord-Holland'],
  ...['1016 ZQ', 'Nederland'],
]
