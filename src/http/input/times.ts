// Points in time and months that callers send: within the years that the service reckons with.
import Type from 'typebox'
import * as s from '../../base/schema/schema.ts'

/** The years of every time and month that callers send. */
export const timeYears = { first: 1970, last: 2199 } as const

const { first, last } = timeYears
const years = `from ${first} to ${last}`
const yearPattern = '(?:19[7-9]\\d|2[01]\\d\\d)'

/** ISO 8601, without the leap seconds that computers leave out. */
export const timeIn = Type.String({
  format: 'date-time',
  pattern: `^${yearPattern}-\\d\\d-\\d\\d.\\d\\d:\\d\\d:[0-5]`,
  'x-rule': `must be a time such as 2026-03-29T02:30:00Z, ${years}`,
})

/** The schema of a month in UTC. */
export const monthIn = (description: string) =>
  s.text({
    charsMax: 7,
    pattern: `^${yearPattern}-(?:0[1-9]|1[0-2])$`,
    rule: `must be a month as YYYY-MM, ${years}`,
    description,
    example: '2026-10',
  })
