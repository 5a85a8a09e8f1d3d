// The table of routes: who may use each, and the least body that it accepts.
import { password } from './cast.ts'
import { person } from './kyc-person.ts'
import type { RoleName } from './matrix-world.ts'

/** Who is let in. This table is the promise; the routes have to keep it. */
export type Rule =
  | 'anyone'
  | 'any credential'
  | 'anyone, without a wrong credential'
  | 'the operator'
  | 'a person'
  | 'a person just signed in'
  | 'a person by header'
  | RoleName
  | `${RoleName} in person`
  | `${RoleName} just signed in`

/** What a body may be made of: a number of its own, and a member who has no other part. */
interface BodyWorld {
  readonly n: number
  readonly memberId: string
}

export interface Line {
  readonly who: Rule
  /** The least that is accepted. */
  readonly body?: (world: BodyWorld) => object
  /** For what takes bytes in place of a body: its query. */
  readonly bytes?: string
  /** What whoever is let in is told, where it is no success that can be had here. */
  readonly told?: readonly [status: number, code?: string]
}

/** One clear pixel. */
export const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const url = 'http://127.0.0.1:9/'
const config = { url }
/** The answers of a browser, as far as the schemas look at them. */
const passkeyCreated = { id: 'AAAA', response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
const passkeyUsed = {
  id: 'AAAA',
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
}

export const routeTable: Readonly<Record<string, Line>> = {
  'auth.register': {
    who: 'anyone',
    body: ({ n }) => ({ email: `new-${n}@example.com`, password }),
  },
  // Somebody else: too many sessions of one person end the oldest.
  'auth.login': { who: 'anyone', body: () => ({ email: 'dora@example.com', password }) },
  // Nobody began a sign-in here.
  'auth.confirmLogin': { who: 'anyone', body: () => ({ totp: '000000' }), told: [410] },
  'auth.devices': { who: 'a person' },
  'auth.forgetDevice': { who: 'a person', told: [404] },
  'auth.logout': { who: 'a person' },
  'auth.session': { who: 'a person' },
  'auth.sessions': { who: 'a person' },
  'auth.endSession': { who: 'a person' },
  'auth.reauthenticate': { who: 'a person', body: () => ({ password }) },
  'auth.forgotPassword': { who: 'anyone', body: () => ({ email: 'nobody@example.com' }) },
  'auth.resetPasswordPage': { who: 'anyone', told: [410] },
  'auth.resetPassword': {
    who: 'anyone',
    body: () => ({ token: 'no-token', password }),
    told: [410, 'link_expired'],
  },
  'auth.changePassword': {
    who: 'a person',
    body: () => ({ currentPassword: password, newPassword: password }),
  },
  'auth.verifyEmailPage': { who: 'anyone', told: [410] },
  'auth.verifyEmail': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'auth.resendVerification': { who: 'a person' },
  'auth.changeEmailPage': { who: 'anyone', told: [410] },
  'auth.changeEmail': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'magic-link.request': {
    who: 'anyone',
    body: ({ n }) => ({ email: `no-${n}@example.com`, redirectUri: '/' }),
  },
  'magic-link.callback': { who: 'anyone', told: [410] },
  'magic-link.verify': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'user.get': { who: 'a person' },
  'user.change': { who: 'a person', body: ({ n }) => ({ name: `Me ${n}` }) },
  // Each of them owns an organization alone.
  'user.remove': { who: 'a person just signed in', told: [409, 'conflict'] },
  'user.changePreferences': {
    who: 'a person',
    body: () => ({ views: [], pinnedMonitorIds: [], orderedMonitorIds: [] }),
  },
  'user.organizations': { who: 'a person' },
  'user.referrals': { who: 'a person' },
  'user.changeReferralCode': { who: 'a person', body: () => ({}) },
  'oidc.list': { who: 'anyone' },
  // No provider is set up here.
  'oidc.start': { who: 'anyone', told: [404] },
  'oidc.callback': { who: 'anyone', told: [404] },
  'oidc.confirm': { who: 'anyone', body: () => ({ totp: '000000' }), told: [404] },
  'totp.enrol': { who: 'a person just signed in' },
  'totp.confirm': {
    who: 'a person',
    body: () => ({ code: '000000' }),
    told: [401, 'invalid_credentials'],
  },
  'totp.turnOff': {
    who: 'a person just signed in',
    body: () => ({ code: '000000' }),
    told: [409, 'conflict'],
  },
  // Browsers allow passkeys at addresses with a name; here the address is one of loopback.
  'passkeys.list': { who: 'a person' },
  'passkeys.beginAdding': { who: 'a person just signed in', told: [409, 'conflict'] },
  'passkeys.add': {
    who: 'a person just signed in',
    body: () => ({ name: 'Laptop', credential: passkeyCreated }),
    told: [409, 'conflict'],
  },
  'passkeys.rename': { who: 'a person', body: () => ({ name: 'Old laptop' }), told: [404] },
  'passkeys.remove': { who: 'a person just signed in', told: [404] },
  'passkeys.beginSignIn': { who: 'anyone', told: [409] },
  'passkeys.signIn': { who: 'anyone', body: () => ({ credential: passkeyUsed }), told: [409] },
  'passkeys.beginConfirming': { who: 'a person', told: [409, 'conflict'] },
  'passkeys.confirm': {
    who: 'a person',
    body: () => ({ credential: passkeyUsed }),
    told: [409, 'conflict'],
  },
  'orgs.create': { who: 'a person', body: () => ({ name: 'Another' }) },
  'orgs.list': { who: 'any credential' },
  'orgs.get': { who: 'viewer' },
  'orgs.change': { who: 'admin', body: () => ({ name: 'Renamed' }) },
  'orgs.remove': { who: 'owner just signed in' },
  'orgs.summary': { who: 'viewer' },
  'activity.get': { who: 'viewer in person' },
  'activity.see': { who: 'viewer in person' },
  'orgs.export': { who: 'admin' },
  // The table is named in the query.
  'history.download': { who: 'admin', told: [400] },
  'orgs.import': { who: 'admin', body: () => ({ format: 'stillup/1' }) },
  'imports.list': { who: 'admin' },
  'imports.get': { who: 'admin' },
  'imports.keepNotes': { who: 'admin', body: () => ({ notes: [] }) },
  'imports.tickNotes': { who: 'admin', body: () => ({ places: [], isDone: true }) },
  'imports.tryUndo': { who: 'admin' },
  'imports.undo': { who: 'admin' },
  'imports.takePast': { who: 'admin', body: () => ({ history: [] }) },
  'imports.shadow': { who: 'member' },
  'imports.replaceAddress': { who: 'admin' },
  'imports.goLive': { who: 'admin', body: () => ({}) },
  'uploads.begin': { who: 'admin', bytes: '?bytes=1' },
  'uploads.add': { who: 'admin', bytes: '?from=0', told: [404, 'not_found'] },
  'uploads.get': { who: 'admin', told: [404, 'not_found'] },
  'uploads.remove': { who: 'admin', told: [404, 'not_found'] },
  'uploads.convert': { who: 'admin', told: [404, 'not_found'] },
  'uploads.takePast': {
    who: 'admin',
    body: () => ({ importId: 'imp_01karp3m5p7r9t1w3y5a7c9e1g' }),
    told: [404, 'not_found'],
  },
  'orgs.importProgress': { who: 'admin' },
  'orgs.tryImport': { who: 'admin', body: () => ({ format: 'stillup/1' }) },
  'orgs.fetchForeign': {
    who: 'admin',
    // Nobody listens there.
    body: () => ({ product: 'healthchecks', url: 'http://127.0.0.1:9', key: 'k' }),
    told: [422, 'validation_failed'],
  },
  'orgs.convert': {
    who: 'admin',
    body: () => ({ product: 'healthchecks', text: '{"checks":[{"name":"job","timeout":3600}]}' }),
  },
  'api-keys.create': { who: 'admin just signed in', body: () => ({ name: 'k' }) },
  'api-keys.list': { who: 'viewer in person' },
  'api-keys.change': { who: 'admin just signed in', body: () => ({ name: 'other' }) },
  'api-keys.rotate': { who: 'admin just signed in' },
  'api-keys.adopt': { who: 'owner just signed in' },
  'api-keys.revoke': { who: 'admin in person' },
  'ping-keys.list': { who: 'admin' },
  'ping-keys.remove': { who: 'admin' },
  'members.list': { who: 'viewer in person' },
  'members.change': {
    who: 'admin just signed in',
    // Another role each time, so that there is something to change.
    body: ({ n, memberId }) => ({ userId: memberId, role: n % 2 === 0 ? 'member' : 'viewer' }),
  },
  // Whoever is no admin may still leave.
  'members.remove': { who: 'admin just signed in' },
  'orgs.transfer': {
    who: 'owner just signed in',
    body: () => ({ userId: 'usr_01jd0000000000000000000000' }),
    told: [404, 'not_found'],
  },
  'invites.create': {
    who: 'admin just signed in',
    body: ({ n }) => ({ email: `guest-${n}@example.com` }),
  },
  'invites.list': { who: 'admin in person' },
  'invites.revoke': { who: 'admin in person' },
  'invites.look': { who: 'anyone', told: [410, 'link_expired'] },
  'invites.page': { who: 'anyone', told: [410] },
  'invites.join': {
    who: 'anyone',
    body: () => ({ password }),
    told: [410, 'link_expired'],
  },
  'invites.accept': { who: 'a person', told: [410, 'link_expired'] },
  'audit-log.list': { who: 'admin' },
  'audit-log.verify': { who: 'admin' },
  'audit-log.export': { who: 'admin' },
  'system.info': { who: 'the operator' },
  'system.history': { who: 'the operator' },
  'system.health': { who: 'the operator' },
  'system.checkHealth': { who: 'the operator' },
  'system.notices': { who: 'the operator' },
  'system.chooseNotices': { who: 'the operator', body: () => ({ channelIds: [] }) },
  'system.auditLog': { who: 'the operator' },
  'system.verifyAuditLog': { who: 'the operator' },
  'system.exportAuditLog': { who: 'the operator' },
  'system.errors': { who: 'the operator' },
  'system.reportError': {
    who: 'anyone, without a wrong credential',
    body: () => ({ message: 'It broke' }),
  },
  'system.tasks': { who: 'the operator' },
  'system.runTask': { who: 'the operator' },
  'settings.get': { who: 'the operator' },
  'settings.change': { who: 'the operator', body: () => ({}) },
  'settings.checkAddresses': { who: 'the operator', body: () => ({}) },
  'settings.tryBucket': {
    who: 'the operator',
    body: () => ({}),
    told: [422, 'validation_failed'],
  },
  'settings.sendTestLetter': {
    who: 'the operator',
    body: () => ({}),
    told: [422, 'validation_failed'],
  },
  'system.certificates': { who: 'the operator' },
  'backups.list': { who: 'the operator' },
  'backups.make': { who: 'the operator' },
  'backups.get': { who: 'the operator' },
  'backups.remove': { who: 'the operator' },
  'system.users': { who: 'the operator' },
  'shared-locations.create': { who: 'the operator', body: ({ n }) => ({ name: `Location ${n}` }) },
  'shared-locations.list': { who: 'the operator' },
  // What an organization has is not shared.
  'shared-locations.get': { who: 'the operator', told: [404] },
  'shared-locations.change': {
    who: 'the operator',
    body: () => ({ description: 'other' }),
    told: [404],
  },
  'shared-locations.remove': { who: 'the operator', told: [404] },
  'shared-locations.createProbe': {
    who: 'the operator',
    body: () => ({ name: 'fra-1' }),
    told: [404],
  },
  'shared-locations.listProbes': { who: 'the operator', told: [404] },
  'shared-locations.changeProbe': {
    who: 'the operator',
    body: () => ({ name: 'other' }),
    told: [404],
  },
  'shared-locations.rotateProbe': { who: 'the operator', body: () => ({}), told: [404] },
  'shared-locations.removeProbe': { who: 'the operator', told: [404] },
  'system.changeUser': { who: 'the operator', body: () => ({ isDisabled: true }) },
  'system.orgs': { who: 'the operator' },
  'system.changeOrg': { who: 'the operator', body: () => ({ quotas: { keys: 20 } }) },
  'kyc.verify': { who: 'a person by header', body: () => person },
  'kyc.status': { who: 'a person by header' },
  'kyc.erase': { who: 'a person by header' },
  'kyc.list': { who: 'the operator' },
  'kyc.get': { who: 'the operator' },
  'kyc.decide': { who: 'the operator', body: () => ({ decision: 'review' }) },
  'monitors.list': { who: 'viewer' },
  'monitors.create': { who: 'member', body: () => ({ name: 'm', url }) },
  'monitors.test': { who: 'member', body: () => ({ name: 'm', url, timeoutMs: 500 }) },
  'monitors.createMany': { who: 'member', body: () => ({ monitors: [{ name: 'm', url }] }) },
  'monitors.report': { who: 'viewer' },
  'monitors.reportPage': { who: 'viewer' },
  // Its monitor has no objective.
  'monitors.slo': { who: 'viewer', told: [409, 'conflict'] },
  'monitors.convertSteps': {
    who: 'member',
    body: () => ({ text: 'curl https://example.com/' }),
  },
  'monitors.convertScript': {
    who: 'member',
    body: () => ({ text: "await page.goto('https://example.com/')" }),
  },
  'monitors.simulate': { who: 'viewer', body: () => ({}) },
  'monitors.testAlerts': { who: 'member', body: () => ({ send: false }) },
  'monitors.changeMany': { who: 'member', body: () => ({ tag: 'none', isActive: false }) },
  'monitors.checkMany': { who: 'member', body: () => ({ tag: 'none' }) },
  'monitors.removeMany': { who: 'member', body: () => ({ tag: 'none' }) },
  'monitors.get': { who: 'viewer' },
  'monitors.run': { who: 'member' },
  'monitors.change': { who: 'member', body: () => ({ name: 'other' }) },
  'monitors.remove': { who: 'member' },
  'monitors.runs': { who: 'viewer' },
  // The output is null for them: see journeys/push.
  'monitors.oneRun': { who: 'viewer', told: [404, 'not_found'] },
  'monitors.replaceToken': { who: 'member', body: () => ({}), told: [409, 'conflict'] },
  'monitors.setState': {
    who: 'member',
    body: () => ({ state: 'up' }),
    told: [409, 'conflict'],
  },
  'monitors.pause': { who: 'member' },
  'monitors.resume': { who: 'member' },
  'monitors.checks': { who: 'viewer' },
  'monitors.uptime': { who: 'viewer' },
  'monitors.responseTimes': { who: 'viewer' },
  'monitors.locations': { who: 'viewer' },
  'overview.all': { who: 'viewer' },
  'overview.uptimes': { who: 'viewer' },
  'overview.recent': { who: 'viewer' },
  'uptime.list': { who: 'viewer' },
  'uptime.total': { who: 'viewer' },
  // What the target itself said is null for them: see http/api/monitors.
  'monitors.latest': { who: 'viewer' },
  'events.open': { who: 'viewer' },
  'incidents.list': { who: 'viewer' },
  'incidents.declare': { who: 'member', body: () => ({ title: 'a title' }) },
  // It follows a monitor.
  'incidents.remove': { who: 'member', told: [409, 'conflict'] },
  'monitors.incidents': { who: 'viewer' },
  'incidents.explain': { who: 'viewer' },
  'incidents.get': { who: 'viewer' },
  'incidents.previewPostmortem': { who: 'viewer', body: () => ({ postmortem: '**why**' }) },
  'incidents.acknowledge': { who: 'member' },
  'incidents.change': { who: 'member', body: () => ({ title: 'a title' }) },
  'incidents.resolve': { who: 'member' },
  'maintenance-windows.create': {
    who: 'member',
    // It is on for one hour of the year: answers say the same at almost any time.
    body: () => ({ name: 'm', cron: '@yearly', durationMinutes: 60 }),
  },
  'maintenance-windows.list': { who: 'viewer' },
  'maintenance-windows.get': { who: 'viewer' },
  'maintenance-windows.change': { who: 'member', body: () => ({ name: 'other' }) },
  'maintenance-windows.remove': { who: 'member' },
  'maintenance-windows.end': { who: 'member' },
  'maintenance-windows.extend': { who: 'member', body: () => ({ minutes: 5 }) },
  'maintenance-windows.cancel': {
    who: 'member',
    body: () => ({ startsAt: '2030-01-01T00:00:00Z' }),
    told: [409, 'conflict'],
  },
  'templates.create': { who: 'member', body: () => ({ kind: 'incident', name: 't' }) },
  'templates.list': { who: 'viewer' },
  'templates.get': { who: 'viewer' },
  'templates.change': { who: 'member', body: () => ({ title: 'other' }) },
  'templates.remove': { who: 'member' },
  'secrets.create': {
    who: 'admin',
    body: ({ n }) => ({ name: `SECRET_${n}`, value: 'open sesame' }),
  },
  'secrets.list': { who: 'viewer' },
  'secrets.get': { who: 'viewer' },
  'secrets.change': { who: 'admin', body: () => ({ description: 'other' }) },
  'secrets.remove': { who: 'admin' },
  'locations.create': { who: 'admin', body: ({ n }) => ({ name: `Location ${n}` }) },
  'locations.list': { who: 'viewer' },
  'locations.get': { who: 'viewer' },
  'locations.change': { who: 'admin', body: () => ({ description: 'other' }) },
  'locations.remove': { who: 'admin' },
  'locations.createProbe': { who: 'admin just signed in', body: () => ({ name: 'fra-1' }) },
  'locations.listProbes': { who: 'viewer' },
  'locations.changeProbe': { who: 'admin', body: () => ({ name: 'other' }) },
  'locations.rotateProbe': { who: 'admin just signed in', body: () => ({}) },
  'locations.removeProbe': { who: 'admin' },
  'incidents.update': { who: 'member', body: () => ({ message: 'we look' }) },
  'alert-channels.create': { who: 'admin', body: () => ({ name: 'c', type: 'webhook', config }) },
  'alert-channels.list': { who: 'viewer' },
  'alert-channels.get': { who: 'viewer' },
  'alert-channels.change': { who: 'admin', body: () => ({ name: 'other' }) },
  'alert-channels.remove': { who: 'admin' },
  'alert-channels.types': { who: 'viewer' },
  'alert-channels.troubles': { who: 'viewer' },
  'alert-channels.test': { who: 'admin' },
  'alert-channels.testDraft': {
    who: 'admin',
    body: () => ({ name: 'c', type: 'webhook', config }),
  },
  'alert-channels.deliveries': { who: 'viewer' },
  'alert-channels.delivery': { who: 'viewer' },
  'alert-channels.redeliver': { who: 'admin' },
  'alert-channels.redeliverAll': { who: 'admin', body: () => ({ state: 'dead' }) },
  'alert-deliveries.list': { who: 'viewer' },
  'status-pages.create': { who: 'admin', body: ({ n }) => ({ name: 'p', slug: `made-${n}` }) },
  'status-pages.preview': { who: 'admin', body: () => ({ name: 'p' }) },
  'status-pages.list': { who: 'viewer' },
  'status-pages.get': { who: 'viewer' },
  'status-pages.change': { who: 'admin', body: () => ({ title: 'other' }) },
  'status-pages.remove': { who: 'admin' },
  'status-pages.getPicture': { who: 'viewer' },
  'status-pages.setPicture': { who: 'admin', body: () => ({ data: onePixel }) },
  'status-pages.removePicture': { who: 'admin' },
  'status-pages.setSubdomain': { who: 'admin', body: ({ n }) => ({ subdomain: `sub-${n}` }) },
  'custom-domains.create': {
    who: 'admin',
    body: () => ({
      hostname: 'status.example.com',
      statusPageId: 'pag_01k0000000000000000000000a',
    }),
    told: [422, 'validation_failed'],
  },
  'custom-domains.list': { who: 'viewer' },
  'custom-domains.get': { who: 'viewer' },
  'custom-domains.verify': { who: 'admin' },
  'custom-domains.remove': { who: 'admin' },
  'status-pages.listSubscribers': { who: 'admin' },
  // There is no mail server.
  'status-pages.addSubscribers': {
    who: 'admin',
    body: () => ({ emails: ['reader@example.com'] }),
    told: [409, 'conflict'],
  },
  'status-pages.exportSubscribers': { who: 'admin' },
  'status-pages.removeSubscriber': { who: 'admin' },
  // Anyone may register there.
  'subscribers.import': {
    who: 'admin',
    body: () => ({ csv: 'email,confirmedAt,source\n' }),
  },
  'subscribers.tryImport': {
    who: 'admin',
    body: () => ({ csv: 'email,confirmedAt,source\n' }),
  },
  'push.report': { who: 'anyone', told: [404, 'not_found'] },
  'push.reportByGet': { who: 'anyone', told: [404, 'not_found'] },
  'push.word': { who: 'anyone', told: [404, 'not_found'] },
  'push.wordByGet': { who: 'anyone', told: [404, 'not_found'] },
  'shadow.hear': { who: 'anyone', told: [404, 'not_found'] },
  'kyc.callback': { who: 'anyone', told: [404, 'not_found'] },
}
