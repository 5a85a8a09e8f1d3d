// Times of records in the form of responses: `createdAtMs` becomes `createdAt`, in ISO 8601.
import { toIsoOrNull } from '../../base/schema/schema.ts'

type TimesInMs<Name extends string> = { readonly [Field in Name as `${Field}Ms`]: number | null }

/** The time is null only where the record's may be. */
type WithTimes<Name extends string, Fields> = Fields & {
  readonly [Field in Name]: Fields extends { readonly [Ms in `${Field}Ms`]: number }
    ? string
    : string | null
}

/** Makes a function that adds the named times to a record, whose fields have them with `Ms`. */
export function withTimes<const Name extends string>(...names: readonly Name[]) {
  const fields = names.map((name) => ({ name, msName: `${name}Ms` }))
  return <Fields extends TimesInMs<Name>>(record: Fields): WithTimes<Name, Fields> => {
    const shown: Record<string, unknown> = { ...record }
    for (const { name, msName } of fields) shown[name] = toIsoOrNull(shown[msName] as number | null)
    // A loop over names loses which of them are null.
    return shown as WithTimes<Name, Fields>
  }
}
