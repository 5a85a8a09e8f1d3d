// Monitors that stay in memory share what is equal in them: most differ only in name and URL.
import type { Monitor } from './monitor.ts'

/** The monitor, with the lists of another one where they are equal: a sixth of its memory. */
export function sharing(monitor: Monitor, other: Monitor): Monitor {
  return {
    ...monitor,
    orgId: monitor.orgId === other.orgId ? other.orgId : monitor.orgId,
    headerNames: shared(monitor.headerNames, other.headerNames),
    notifyChannelIds: shared(monitor.notifyChannelIds, other.notifyChannelIds),
    certificateWarnDays: shared(monitor.certificateWarnDays, other.certificateWarnDays),
    domainWarnDays: shared(monitor.domainWarnDays, other.domainWarnDays),
    // Long, and often the same for all monitors of an organization.
    ...(other.caCertificates && monitor.caCertificates === other.caCertificates
      ? { caCertificates: other.caCertificates }
      : {}),
    ...(other.clientCertificate && monitor.clientCertificate === other.clientCertificate
      ? { clientCertificate: other.clientCertificate }
      : {}),
    tags: shared(monitor.tags, other.tags),
    memberIds: shared(monitor.memberIds, other.memberIds),
    dependsOn: shared(monitor.dependsOn, other.dependsOn),
    locations: shared(monitor.locations, other.locations),
    acceptedStatuses: shared(monitor.acceptedStatuses, other.acceptedStatuses),
    assertions: shared(monitor.assertions, other.assertions),
  }
}

/** Objects in a list are only the same if they are one. */
function shared<One>(list: readonly One[], other: readonly One[]): readonly One[] {
  return list.length === other.length && list.every((one, at) => one === other[at]) ? other : list
}
