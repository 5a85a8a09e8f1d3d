// What the form of a monitor sends.
import schema from 'schema:monitors.create'
import type { Body, Data } from '../../../../api/client.ts'
import { type CheckType, isChecked, usualKind } from '../../../../api/kinds.ts'
import { appliesTo } from '../../../../base/json-schema.ts'
import { changeOf } from '../../../../base/merge.ts'
import type { Form } from '../../../../parts/form/form.ts'

export type Monitor = Data<'monitors.get'>
export type MonitorBody = Body<'monitors.create'>

/** The kind of check that a form has. */
export const kindIn = ({ get }: Pick<Form<MonitorBody>, 'get'>): CheckType =>
  (get('/checkType') as CheckType | undefined) ?? usualKind

/** The fields that the form may send: the stored fields of the body. */
export function bodyOf(stored: Monitor): MonitorBody {
  const known = new Set(Object.keys(schema.properties ?? {}))
  const fields = Object.entries(stored).filter(([name]) => known.has(name))
  // The seconds hold; both together would have to agree. It is paused and resumed on its page.
  const { intervalMinutes: _, isActive: __, ...body } = Object.fromEntries(fields)
  return body as unknown as MonitorBody
}

/** The body that is sent: it lacks the fields that the kind does not have. */
export function sentBody(body: MonitorBody): MonitorBody {
  const { checkType = usualKind } = body
  const fields = Object.entries(body).filter(
    ([name, value]) => value !== undefined && appliesTo(schema, name, checkType),
  )
  const hasAddress = isChecked({ checkType })
  return Object.fromEntries(fields.filter(([name]) => hasAddress || name !== 'url')) as MonitorBody
}

/** The body of a change of a stored monitor. Headers are replaced as a whole. */
export function changeBody(before: MonitorBody, after: MonitorBody): Body<'monitors.change'> {
  const { intervalSeconds, ...change } = changeOf(sentBody(before), sentBody(after))
  // Without its seconds, the minutes that belong to them would hold.
  return { ...change, ...(intervalSeconds ? { intervalSeconds } : { intervalMinutes: null }) }
}
