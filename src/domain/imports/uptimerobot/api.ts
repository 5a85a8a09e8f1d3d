// What is asked of UptimeRobot: version 2 of its API, with a key that may only read.
//
// The methods and their fields: https://uptimerobot.com/api/legacy/
import { limits } from '../../limits/limits.ts'
import {
  type ForeignApi,
  type ForeignAsks,
  ForeignFileRefused,
  fieldsOf,
  listOf,
  numberOf,
  textOf,
} from '../foreign.ts'

export const uptimerobotApi: ForeignApi = {
  authorized: (key) => ({ form: { api_key: key, format: 'json' } }),
  asks,
}

const pageItems = 50
const details = {
  logs: '1',
  alert_contacts: '1',
  mwindows: '1',
  auth_type: '1',
  ssl: '1',
  custom_http_headers: '1',
  custom_http_statuses: '1',
  http_request_details: '1',
}

function* asks(nowMs: number): ForeignAsks {
  const monitors = yield* pages('getMonitors', 'monitors', details)
  const alert_contacts = yield* pages('getAlertContacts', 'alert_contacts')
  const mwindows = yield* pages('getMWindows', 'mwindows')
  const psps = yield* pages('getPSPs', 'psps')
  const readAt = new Date(nowMs).toISOString()
  return { stat: 'ok', monitors, alert_contacts, mwindows, psps, readAt }
}

function* pages(
  method: string,
  list: string,
  form: Readonly<Record<string, string>> = {},
): Generator<
  readonly { path: string; form: Readonly<Record<string, string>>; isOptional?: true }[],
  readonly unknown[],
  readonly unknown[]
> {
  const items: unknown[] = []
  for (;;) {
    const [answer] = yield [
      {
        path: `/v2/${method}`,
        form: { ...form, limit: `${pageItems}`, offset: `${items.length}` },
        // What comes with the monitors is worth less than these.
        ...(list === 'monitors' ? {} : { isOptional: true as const }),
      },
    ]
    const page = fieldsOf(answer)
    // A wrong key is answered with the status 200, too.
    if (list === 'monitors' && textOf(page.stat) === 'fail') {
      throw new ForeignFileRefused('refuses the request: is the key right?')
    }
    const found = listOf(page[list])
    items.push(...found)
    const total = numberOf(fieldsOf(page.pagination).total) ?? numberOf(page.total) ?? 0
    if (found.length === 0 || items.length >= total || items.length > limits.importMonitorsMax) {
      return items
    }
  }
}
