// Certificates of an organization: the monitors that use each, and the notices that channels got.
import type { ChannelId, MonitorId, OrgId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** What was announced to channels about one certificate. */
interface CertificateNotices {
  readonly expiresAtMs: number
  /** The smallest threshold in days that was announced to each channel. */
  readonly told: Readonly<Record<ChannelId, number>>
}

/** A monitor, and the certificates that it used before and uses now; undefined: none. */
export interface CertificateUse {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
  readonly before: string | undefined
  readonly now: string | undefined
}

/** Monitors of one certificate that are counted for its notice. */
const certificateUsersMax = 1_000
/** Expired certificates that are forgotten with a new notice. */
const certificatesForgottenMax = 50

/** Certificates are known by their fingerprints. */
export function openCertificates(env: Env) {
  const uses = openTable<1>(env, { name: 'certificateUses' })
  const notices = openTable<CertificateNotices>(env, { name: 'certificateNotices' })

  return {
    /** Notes which certificate a monitor uses, if that has changed. */
    noteUse(tx: Tx, { orgId, monitorId, before, now }: CertificateUse): void {
      if (before === now) return
      if (before !== undefined) uses.remove(tx, [orgId, before, monitorId])
      if (now !== undefined) uses.put(tx, [orgId, now, monitorId], 1)
    },

    /** The monitors that use a certificate, oldest first. */
    users: (orgId: OrgId, fingerprint: string): MonitorId[] =>
      uses
        .keys({ prefix: [orgId, fingerprint], limit: certificateUsersMax })
        .map((key) => key[2] as MonitorId),

    /** The smallest threshold that was announced to a channel; undefined if none. */
    toldDays: (orgId: OrgId, fingerprint: string, channelId: ChannelId): number | undefined =>
      notices.readable([orgId, fingerprint])?.told[channelId],

    /** Notes what is announced to channels, and forgets certificates that have expired. */
    noteTold(
      tx: Tx,
      orgId: OrgId,
      fingerprint: string,
      { expiresAtMs, told }: CertificateNotices,
      nowMs: number,
    ): void {
      for (const { key, record } of notices.entries({
        prefix: [orgId],
        limit: certificatesForgottenMax,
      })) {
        if (record.expiresAtMs < nowMs) notices.remove(tx, key)
      }
      const before = notices.readable([orgId, fingerprint])?.told ?? {}
      notices.put(tx, [orgId, fingerprint], { expiresAtMs, told: { ...before, ...told } })
    },

    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number): number =>
      Math.max(uses.removeAll(tx, [orgId], limit), notices.removeAll(tx, [orgId], limit)),
  }
}
