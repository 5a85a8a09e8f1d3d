// The letter that tells the administrators that stored data is damaged.
import { type Letter, type LetterPlan, letterOf } from '../letter.ts'

export interface DamageReport {
  /** The address of the instance. */
  readonly baseUrl: string
  /** How many damaged records were found, by the name of their table. Nothing of their content. */
  readonly tables: ReadonlyMap<string, number>
}

export function damageLetter(report: DamageReport): Letter {
  return letterOf({ ...damageNews(report), footer })
}

const footer = [
  'You get this letter because you administer this installation. There is at most one a day.',
]

/** What the letter says. */
export function damageNews({
  baseUrl,
  tables,
}: DamageReport): Pick<LetterPlan, 'subject' | 'paragraphs'> {
  const total = [...tables.values()].reduce((sum, count) => sum + count, 0)
  const records = total === 1 ? 'one damaged record' : `${total} damaged records`
  const names = [...tables].map(([table, count]) => `${table} (${count})`).toSorted()
  return {
    subject: `Stored data is damaged: ${total === 1 ? 'one record' : `${total} records`}`,
    paragraphs: [
      `${baseUrl} found ${records} in its data. By table: ${names.join(', ')}.`,
      'Everything else works. A damaged record is never used: lists leave it out, and a request ' +
        'for it gets an error. A damaged monitor is not checked. The bytes that were found are kept ' +
        'for 90 days.',
      'Check the disk. The log and /api/v1/system/errors name each record. The section "Damaged ' +
        'data" of docs/operating.md says what is repaired by itself, what you can delete, and how to ' +
        'return to a backup.',
    ],
  }
}
