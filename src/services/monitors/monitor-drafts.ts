// Turns a caller's fields into a monitor: checks every rule and encrypts the secrets.
import type { Clock } from '../../base/clock.ts'
import { Fault, type FieldProblem, refuseInvalid } from '../../base/fault.ts'
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  inputProblems,
  intervalSecondsOf,
  type MonitorFields,
  type MonitorInput,
} from '../../domain/monitors/monitor-input.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import type { TargetRules } from '../../probes/targets.ts'
import type { Box } from '../../seal/box.ts'
import { hashToken, mintToken } from '../../seal/tokens.ts'
import { openRequest, sealRequest } from './monitor-request.ts'

export interface DraftsDeps {
  readonly clock: Clock
  readonly box: Box
  /** Why a URL cannot be the target of a check of this type, or null. */
  readonly judgeTarget: TargetRules['judgeUrl']
  /** The index of the first id that is not a channel of the organization, or null. */
  readonly unknownChannel: (orgId: OrgId, channelIds: readonly ChannelId[]) => number | null
}

type NamedChannels = Pick<MonitorInput, 'notifyChannelIds'>

export interface DraftContext {
  readonly areChannelsKnown?: boolean
  /** For a change: the previous input, and the fields that the caller set. */
  readonly was?: { readonly input: MonitorInput; readonly fields: MonitorFields }
}

function isOld({ pointer, message }: FieldProblem, was: NonNullable<DraftContext['was']>): boolean {
  const [, field = ''] = pointer.split('/')
  if (Object.hasOwn(was.fields, field)) return false
  // Headers that cannot be decrypted any more are not kept: they must be sent again.
  if (field === 'headers' && Object.values(was.input.headers).includes(secretMask)) return false
  return inputProblems(was.input).some((one) => one.pointer === pointer && one.message === message)
}

export function createDrafts({ clock, box, judgeTarget, unknownChannel }: DraftsDeps) {
  /** The record's part of the input: secrets encrypted, empty texts removed. */
  function fieldsOf(input: MonitorInput) {
    const { headers, body, intervalMinutes, ...plain } = input
    return {
      ...plain,
      headerNames: Object.keys(headers),
      requestBox: sealRequest(box, { headers, body }),
      intervalSeconds: intervalSecondsOf(input),
    }
  }

  function mintPushToken(input: MonitorInput) {
    if (input.checkType !== 'push') return { pushTokenHash: null, pushTokenBox: null }
    const token = mintToken('spp')
    return { pushTokenHash: hashToken(token), pushTokenBox: box.seal(token) }
  }

  function channelProblems(orgId: OrgId, { notifyChannelIds }: NamedChannels): FieldProblem[] {
    const unknown = unknownChannel(orgId, notifyChannelIds)
    if (unknown === null) return []
    const message = 'is not a channel of this organization'
    return [{ pointer: `/notifyChannelIds/${unknown}`, keyword: 'reference', message }]
  }

  return {
    fieldsOf,
    channelProblems,

    /**
     * Throws validation_failed with every problem, and target_not_allowed. Stored values that break
     * a newer rule stay valid if the change does not touch them.
     */
    judge(
      orgId: OrgId,
      input: MonitorInput,
      { areChannelsKnown = false, was }: DraftContext = {},
    ): void {
      const problems = inputProblems(input).filter((one) => was === undefined || !isOld(one, was))
      refuseInvalid(areChannelsKnown ? problems : problems.concat(channelProblems(orgId, input)))
      const isFamilyMeant =
        !was || ['url', 'ipFamily'].some((one) => Object.hasOwn(was.fields, one))
      const ipFamily = isFamilyMeant ? input.ipFamily : 'any'
      const refusal = input.url === null ? null : judgeTarget(input.checkType, input.url, ipFamily)
      if (refusal !== null) {
        const { code, reason: message, field = 'url' } = refusal
        const errors = [{ pointer: `/${field}`, keyword: 'target', message }]
        throw new Fault(code, `${field} ${message}`, { errors })
      }
    },

    monitorOf(orgId: OrgId, input: MonitorInput): Monitor {
      const nowMs = clock.nowMs()
      return {
        ...fieldsOf(input),
        ...mintPushToken(input),
        id: newId('monitor', nowMs),
        orgId,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: 1,
      }
    },

    /** The record in the form that callers use, without channels that have been deleted. */
    inputOf(monitor: Monitor): MonitorInput {
      const { orgId, intervalSeconds } = monitor
      const { headers, body } = openRequest(box, monitor)
      const notifyChannelIds = monitor.notifyChannelIds.filter(
        (id) => unknownChannel(orgId, [id]) === null,
      )
      const intervalMinutes = Math.ceil(intervalSeconds / 60)
      return { ...monitor, headers, body, notifyChannelIds, intervalMinutes }
    },
  }
}

/** The state of a new monitor, before its first check. */
export function newMonitorState({ createdAtMs, isActive }: Monitor): MonitorState {
  return { ...initialMonitorState(createdAtMs), isPaused: !isActive }
}
