// What a standby asks its leader (domain/standby/protocol.ts): between our own programs, so it is no part of the
// reference. The bearer is derived from the master key, which both machines have.
import { Fault, invalidParameter, notFound } from '../../base/fault.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { packRecords, standbyPath } from '../../domain/standby/protocol.ts'
import type { StandbyLink } from '../../services/standby/standby-link.ts'
import { parseQuery } from '../input/query.ts'
import { bearerToken } from '../pipeline/auth.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'

const unstored = ['Cache-Control', 'no-store'] as const
const bytesHead = rawHead([['Content-Type', 'application/octet-stream'], unstored])
const jsonHead = rawHead([['Content-Type', 'application/json'], unstored])
const emptyHead = rawHead([unstored])
const wordCharsMax = 200

export function standbyRoutes(link: StandbyLink): readonly RawRoute[] {
  const route = (
    path: string,
    handle: (request: RawRequest) => RawReply | Promise<RawReply>,
    more: Pick<RawRoute, 'method' | 'from'> = {},
  ): RawRoute => ({
    name: `standby${path.replaceAll(/[/:]+/g, '-')}`,
    path: `${standbyPath}${path}`,
    rate: null,
    headers: ['authorization'],
    isOfService: true,
    outlivesDrain: true,
    ...more,
    handle(request) {
      if (!link.isSecret(bearerToken(request.header('authorization')))) {
        throw new Fault('unauthenticated', 'This requires the master key of this service')
      }
      return handle(request)
    },
  })

  return [
    route('/records', async (request) => {
      if (!link.records) throw notFound('log')
      const records = await link.records({
        after: numberOf(request, 'after'),
        hash: textOf(request, 'hash'),
        member: textOf(request, 'member'),
        version: textOf(request, 'version'),
        isHeld: textOf(request, 'isHeld') === 'true',
        address: request.address,
      })
      if (!records) return json({ code: 'snapshot_needed' }, 409)
      if (records.length === 0) return { status: 204, head: emptyHead }
      return { status: 200, head: bytesHead, body: packRecords(records) }
    }),
    route('/snapshot', () => json(link.snapshot())),
    route('/snapshot/:id', async (request) => {
      const { id = '' } = request.params
      const body = await link.piece(id, numberOf(request, 'offset'))
      return { status: 200, head: bytesHead, body }
    }),
    route('/role', () => json(link.role())),
    route(
      '/leader',
      async ({ body }) => {
        const said: unknown = JSON.parse(body.toString() || '{}')
        const epoch = isRecord(said) ? said.epoch : undefined
        const url = isRecord(said) && typeof said.url === 'string' ? said.url : null
        if (typeof epoch !== 'number') throw invalidParameter('epoch', 'type', 'must be a number')
        return json(await link.heardOf(epoch, url))
      },
      { method: 'POST', from: 'anywhere' },
    ),
  ]
}

function json(document: object, status = 200): RawReply {
  return { status, head: jsonHead, body: JSON.stringify(document) }
}

function textOf({ queryText }: RawRequest, name: string): string {
  const text = parseQuery(queryText).find(([one]) => one === name)?.[1] ?? ''
  return text.slice(0, wordCharsMax)
}

function numberOf(request: RawRequest, name: string): number {
  const value = Number(textOf(request, name))
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw invalidParameter(name, 'type', 'must be a whole number')
}
