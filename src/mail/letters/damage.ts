// The letter that tells the administrators that stored data is damaged.
import type { Language } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, type LetterPlan, letterOf } from '../letter.ts'

export interface DamageReport {
  /** The address of the instance. */
  readonly baseUrl: string
  /** How many damaged records were found, by the name of their table. Nothing of their content. */
  readonly tables: ReadonlyMap<string, number>
}

export function damageLetter(report: DamageReport, language: Language): Letter {
  const { why } = textsOf('letters', language).damage
  return letterOf({ ...damageNews(report, language), language, footer: [why] })
}

/** What the letter says. */
export function damageNews(
  { baseUrl, tables }: DamageReport,
  language: Language,
): Pick<LetterPlan, 'subject' | 'paragraphs'> {
  const { subject, found, rest, disk } = textsOf('letters', language).damage
  const count = [...tables.values()].reduce((sum, one) => sum + one, 0)
  const names = [...tables].map(([table, records]) => `${table} (${records})`).toSorted()
  return {
    subject: subject({ count }),
    paragraphs: [
      found({ service: baseUrl, count, tables: names.join(marksOf(language).comma) }),
      rest,
      disk,
    ],
  }
}
