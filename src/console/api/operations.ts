// Made from the OpenAPI document by scripts/console/api-types.ts: do not edit.

type Empty = Readonly<Record<never, never>>

export type Problem = { readonly success: false; readonly message: string; readonly type: string; readonly title: string; readonly status: number; readonly detail: string; readonly instance?: string; readonly code: "malformed_json" | "invalid_parameter" | "invalid_cursor" | "unauthenticated" | "invalid_credentials" | "totp_required" | "forbidden" | "reauthentication_required" | "csrf_rejected" | "registration_closed" | "kyc_required" | "not_found" | "method_not_allowed" | "conflict" | "slug_taken" | "subdomain_taken" | "hostname_taken" | "email_taken" | "last_owner" | "already_member" | "link_expired" | "monitor_paused" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "target_not_allowed" | "idempotency_key_reused" | "rate_limited" | "internal" | "damaged_record" | "unavailable" | "storage_full" | "shutting_down"; readonly requestId: string; readonly errors?: readonly ({ readonly pointer: string; readonly keyword: string; readonly message: string })[] }

export type DingtalkChannel = { readonly type: "dingtalk"; readonly config?: { readonly webhookUrl: string; readonly secret?: string } }

export type DiscordChannel = { readonly type: "discord"; readonly config?: { readonly webhookUrl: string } }

export type EmailChannel = { readonly type: "email"; readonly config?: { readonly to: readonly (string)[] } }

export type FeishuChannel = { readonly type: "feishu"; readonly config?: { readonly webhookUrl: string; readonly secret?: string } }

export type GooglechatChannel = { readonly type: "googlechat"; readonly config?: { readonly webhookUrl: string } }

export type GotifyChannel = { readonly type: "gotify"; readonly config?: { readonly server: string; readonly token: string } }

export type LineChannel = { readonly type: "line"; readonly config?: { readonly channelAccessToken: string; readonly to: string } }

export type MatrixChannel = { readonly type: "matrix"; readonly config?: { readonly homeserver: string; readonly roomId: string; readonly token: string } }

export type MattermostChannel = { readonly type: "mattermost"; readonly config?: { readonly webhookUrl: string } }

export type TeamsChannel = { readonly type: "teams"; readonly config?: { readonly webhookUrl: string } }

export type NtfyChannel = { readonly type: "ntfy"; readonly config?: { readonly server?: string; readonly topic: string; readonly token?: string; readonly username?: string; readonly password?: string } }

export type OpsgenieChannel = { readonly type: "opsgenie"; readonly config?: { readonly apiKey: string; readonly region?: "us" | "eu" | "jsm" } }

export type PagerdutyChannel = { readonly type: "pagerduty"; readonly config?: { readonly routingKey: string; readonly url?: string } }

export type AlertmanagerChannel = { readonly type: "alertmanager"; readonly config?: { readonly url: string; readonly username?: string; readonly password?: string; readonly token?: string; readonly labels?: Readonly<Record<string, string>> } }

export type PushoverChannel = { readonly type: "pushover"; readonly config?: { readonly userKey: string; readonly appToken: string; readonly device?: string; readonly outagePriority?: number } }

export type RocketchatChannel = { readonly type: "rocketchat"; readonly config?: { readonly webhookUrl: string } }

export type SignalChannel = { readonly type: "signal"; readonly config?: { readonly url: string; readonly from: string; readonly to: readonly (string)[]; readonly username?: string; readonly password?: string } }

export type SlackChannel = { readonly type: "slack"; readonly config?: { readonly webhookUrl: string } }

export type SplunkOncallChannel = { readonly type: "splunk-oncall"; readonly config?: { readonly url: string } }

export type TelegramChannel = { readonly type: "telegram"; readonly config?: { readonly botToken: string; readonly chatId: string; readonly messageThreadId?: number; readonly apiUrl?: string } }

export type TwilioChannel = { readonly type: "twilio"; readonly config?: { readonly accountSid: string; readonly authToken: string; readonly from?: string; readonly messagingServiceSid?: string; readonly to: readonly (string)[] } }

export type WebexChannel = { readonly type: "webex"; readonly config?: { readonly token: string; readonly roomId: string } }

export type WebhookChannel = { readonly type: "webhook"; readonly config?: { readonly url: string; readonly secret?: string; readonly previousSecret?: string; readonly previousSecretUntil?: string; readonly v1a?: boolean; readonly signingKey?: string; readonly publicKey?: string; readonly headers?: Readonly<Record<string, string>>; readonly method?: "POST" | "PUT"; readonly format?: "standard" | "cloudevents"; readonly bodyTemplate?: string } }

export type WecomChannel = { readonly type: "wecom"; readonly config?: { readonly webhookUrl: string } }

export type ZulipChannel = { readonly type: "zulip"; readonly config?: { readonly site: string; readonly botEmail: string; readonly apiKey: string; readonly stream: string; readonly topic?: string } }

/** Every operation: its parameters, its body, and the data of its answer. */
export interface Operations {
  "auth.register": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly email: string; readonly password: string; readonly name?: string; readonly organizationName?: string; readonly inviteToken?: string; readonly referralCode?: string; readonly setupToken?: string }
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly organization: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly token: string }
    readonly isList: false
  }
  "auth.login": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly email: string; readonly password: string; readonly totp?: string; readonly redirectUri?: string }
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly token: string }
    readonly isList: false
  }
  "auth.logout": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "auth.session": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly organizations: readonly ({ readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly timezone: string })[]; readonly expiresAt: string; readonly hasTotp: boolean; readonly privateAnswers: "kept" | "until_second_organization" | "not_kept" | null }
    readonly isList: false
  }
  "auth.sessions": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly address: string; readonly userAgent: string; readonly createdAt: string; readonly lastSeenAt: string; readonly expiresAt: string; readonly isCurrent: boolean })[]
    readonly isList: true
  }
  "auth.endSession": {
    readonly path: { readonly sessionId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "auth.reauthenticate": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly password?: string; readonly totp?: string }
    readonly data: { readonly token: string; readonly freshUntil: string }
    readonly isList: false
  }
  "auth.forgotPassword": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly email: string }
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "auth.resetPasswordPage": {
    readonly path: Empty
    readonly query: { readonly token?: string; readonly isDone?: boolean }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "auth.resetPassword": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly token: string; readonly password: string }
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "auth.changePassword": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly currentPassword: string; readonly newPassword: string }
    readonly data: { readonly token: string }
    readonly isList: false
  }
  "auth.verifyEmailPage": {
    readonly path: Empty
    readonly query: { readonly token?: string; readonly outcome?: "verified" | "changed" | "waiting" | "refused" }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "auth.verifyEmail": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly token: string }
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string } }
    readonly isList: false
  }
  "auth.resendVerification": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "auth.changeEmailPage": {
    readonly path: Empty
    readonly query: { readonly token?: string; readonly outcome?: "verified" | "changed" | "waiting" | "refused" }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "auth.changeEmail": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly token: string; readonly answer?: "confirm" | "refuse" }
    readonly data: { readonly outcome: "waiting" | "changed" | "refused" }
    readonly isList: false
  }
  "totp.enrol": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly secret: string; readonly otpauthUrl: string; readonly qrSvg: string }
    readonly isList: false
  }
  "totp.turnOff": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly code: string }
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "totp.confirm": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly code: string }
    readonly data: { readonly recoveryCodes: readonly (string)[] }
    readonly isList: false
  }
  "oidc.list": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly name: string; readonly label: string; readonly startUrl: string })[]
    readonly isList: true
  }
  "oidc.start": {
    readonly path: { readonly provider: string }
    readonly query: { readonly redirectUri?: string }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "oidc.callback": {
    readonly path: { readonly provider: string }
    readonly query: { readonly state?: string; readonly code?: string; readonly iss?: string; readonly error?: string; readonly error_description?: string }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "oidc.confirm": {
    readonly path: { readonly provider: string }
    readonly query: Empty
    readonly body: { readonly totp: string }
    readonly data: unknown
    readonly isList: false
  }
  "magic-link.request": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly email: string; readonly redirectUri: string }
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "magic-link.callback": {
    readonly path: Empty
    readonly query: { readonly token?: string }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "magic-link.verify": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly token: string; readonly totp?: string }
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly token: string; readonly redirectUri: string }
    readonly isList: false
  }
  "user.get": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string; readonly wantedEmail: string | null }
    readonly isList: false
  }
  "user.change": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly name?: string | null; readonly email?: string }
    readonly data: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string; readonly wantedEmail: string | null }
    readonly isList: false
  }
  "user.remove": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "user.organizations": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string })[]
    readonly isList: true
  }
  "user.referrals": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly code: string; readonly url: string; readonly counts: { readonly registered: number; readonly active: number }; readonly referrals: readonly ({ readonly joinedAt: string; readonly status: "registered" | "active" })[] }
    readonly isList: false
  }
  "user.changeReferralCode": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly code?: string }
    readonly data: { readonly code: string; readonly url: string }
    readonly isList: false
  }
  "orgs.create": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly name: string; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone?: string }
    readonly data: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "orgs.list": {
    readonly path: Empty
    readonly query: { readonly holds?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string })[]
    readonly isList: true
  }
  "orgs.get": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "orgs.change": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null }
    readonly data: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "orgs.remove": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "orgs.summary": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly monitors: { readonly total: number; readonly up: number; readonly degraded: number; readonly down: number; readonly pending: number; readonly unknown: number; readonly paused: number; readonly maintenance: number }; readonly openIncidents: { readonly count: number; readonly newest: readonly ({ readonly id: string; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly monitorIds: readonly (string)[] })[] }; readonly worstMonitors: readonly ({ readonly id: string; readonly name: string; readonly state: "down" | "degraded"; readonly stateSince: string; readonly lastError: string | null; readonly openIncidentId: string | null })[]; readonly usage: { readonly monitors: number; readonly channels: number; readonly pages: number; readonly domains: number; readonly subscribers: number; readonly maintenance: number; readonly keys: number; readonly members: number }; readonly quotas: { readonly monitors: number; readonly channels: number; readonly pages: number; readonly domains: number; readonly subscribers: number; readonly maintenance: number; readonly keys: number; readonly members: number; readonly invites: number } }
    readonly isList: false
  }
  "orgs.export": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly format: "stillup/1"; readonly secretsOmitted: readonly (string)[]; readonly maybeSecret: readonly (string)[]; readonly organization: { readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string }; readonly exportedAt: string; readonly channels: readonly ({ readonly id: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault?: boolean; readonly events?: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags?: readonly (string)[]; readonly quietHours?: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null })[]; readonly monitors: readonly ({ readonly id: string; readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null })[]; readonly statusPages: readonly ({ readonly id: string; readonly name: string; readonly slug?: string; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title?: string; readonly description?: string; readonly logoUrl?: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subdomain?: string | null })[]; readonly maintenance: readonly ({ readonly id: string; readonly name: string; readonly description?: string | null; readonly monitorIds?: readonly (string)[] | null; readonly tags?: readonly (string)[] | null; readonly startsAt?: string | null; readonly endsAt?: string | null; readonly cron?: string | null; readonly durationMinutes?: number | null; readonly timezone?: string | null; readonly isPublic?: boolean | null })[] }
    readonly isList: false
  }
  "orgs.import": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly format: "stillup/1"; readonly secretsOmitted?: readonly (string)[]; readonly maybeSecret?: readonly (string)[]; readonly organization?: { readonly name: string; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone?: string }; readonly exportedAt?: string; readonly channels?: readonly ({ readonly id?: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive?: boolean; readonly isDefault?: boolean; readonly events?: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity?: "degraded" | "down"; readonly delayMinutes?: number; readonly tags?: readonly (string)[]; readonly quietHours?: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null })[]; readonly monitors?: readonly ({ readonly id?: string; readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null })[]; readonly statusPages?: readonly ({ readonly id?: string; readonly name: string; readonly slug?: string; readonly isEnabled?: boolean; readonly isDefault?: boolean; readonly isListed?: boolean; readonly title?: string; readonly description?: string; readonly logoUrl?: string | null; readonly showHistory?: boolean; readonly showUptime?: boolean; readonly showIncidents?: boolean; readonly showMonitors?: boolean; readonly showResponseTimes?: boolean; readonly showMonitoredBy?: boolean; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex?: boolean; readonly allowsSubscribers?: boolean; readonly subdomain?: string | null })[]; readonly maintenance?: readonly ({ readonly id?: string; readonly name: string; readonly description?: string | null; readonly monitorIds?: readonly (string)[] | null; readonly tags?: readonly (string)[] | null; readonly startsAt?: string | null; readonly endsAt?: string | null; readonly cron?: string | null; readonly durationMinutes?: number | null; readonly timezone?: string | null; readonly isPublic?: boolean | null })[] }
    readonly data: { readonly monitors: number; readonly channels: number; readonly statusPages: number; readonly maintenance: number; readonly ids: Readonly<Record<string, string>>; readonly paused: readonly ({ readonly id: string; readonly secrets: readonly (string)[] })[]; readonly awaitingSecrets: readonly ({ readonly id: string; readonly name: string; readonly secrets: readonly (string)[] })[] }
    readonly isList: false
  }
  "orgs.tryImport": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly format: "stillup/1"; readonly secretsOmitted?: readonly (string)[]; readonly maybeSecret?: readonly (string)[]; readonly organization?: { readonly name: string; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone?: string }; readonly exportedAt?: string; readonly channels?: readonly ({ readonly id?: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive?: boolean; readonly isDefault?: boolean; readonly events?: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity?: "degraded" | "down"; readonly delayMinutes?: number; readonly tags?: readonly (string)[]; readonly quietHours?: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null })[]; readonly monitors?: readonly ({ readonly id?: string; readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null })[]; readonly statusPages?: readonly ({ readonly id?: string; readonly name: string; readonly slug?: string; readonly isEnabled?: boolean; readonly isDefault?: boolean; readonly isListed?: boolean; readonly title?: string; readonly description?: string; readonly logoUrl?: string | null; readonly showHistory?: boolean; readonly showUptime?: boolean; readonly showIncidents?: boolean; readonly showMonitors?: boolean; readonly showResponseTimes?: boolean; readonly showMonitoredBy?: boolean; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex?: boolean; readonly allowsSubscribers?: boolean; readonly subdomain?: string | null })[]; readonly maintenance?: readonly ({ readonly id?: string; readonly name: string; readonly description?: string | null; readonly monitorIds?: readonly (string)[] | null; readonly tags?: readonly (string)[] | null; readonly startsAt?: string | null; readonly endsAt?: string | null; readonly cron?: string | null; readonly durationMinutes?: number | null; readonly timezone?: string | null; readonly isPublic?: boolean | null })[] }
    readonly data: { readonly monitors: number; readonly channels: number; readonly statusPages: number; readonly maintenance: number; readonly ids: Readonly<Record<string, string>>; readonly paused: readonly ({ readonly id: string; readonly secrets: readonly (string)[] })[]; readonly awaitingSecrets: readonly ({ readonly id: string; readonly name: string; readonly secrets: readonly (string)[] })[] }
    readonly isList: false
  }
  "orgs.convert": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly product: "kuma" | "gatus" | "healthchecks"; readonly text: string }
    readonly data: { readonly document: { readonly format: "stillup/1"; readonly monitors: readonly (unknown)[] }; readonly notes: readonly ({ readonly name: string | null; readonly text: string })[] }
    readonly isList: false
  }
  "members.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly userId: string; readonly name: string | null; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly joinedAt: string })[]
    readonly isList: true
  }
  "members.change": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly userId: string; readonly role: "viewer" | "member" | "admin" | "owner" }
    readonly data: { readonly userId: string; readonly name: string | null; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly joinedAt: string; readonly apiKeys: readonly ({ readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null })[] }
    readonly isList: false
  }
  "members.remove": {
    readonly path: { readonly orgId: string; readonly userId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly userId: string; readonly name: string | null; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly joinedAt: string; readonly apiKeys: readonly ({ readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null })[] }
    readonly isList: false
  }
  "orgs.transfer": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly userId: string }
    readonly data: { readonly userId: string; readonly name: string | null; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly joinedAt: string; readonly apiKeys: readonly ({ readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null })[] }
    readonly isList: false
  }
  "invites.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly email: string; readonly role?: "viewer" | "member" | "admin" | "owner" }
    readonly data: { readonly id: string; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly invitedBy: string; readonly createdAt: string; readonly expiresAt: string; readonly token: string; readonly url: string }
    readonly isList: false
  }
  "invites.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly invitedBy: string; readonly createdAt: string; readonly expiresAt: string })[]
    readonly isList: true
  }
  "invites.revoke": {
    readonly path: { readonly orgId: string; readonly inviteId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly email: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly invitedBy: string; readonly createdAt: string; readonly expiresAt: string }
    readonly isList: false
  }
  "invites.look": {
    readonly path: { readonly token: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly organization: { readonly id: string; readonly name: string }; readonly role: "viewer" | "member" | "admin" | "owner"; readonly email: string; readonly expiresAt: string }
    readonly isList: false
  }
  "invites.page": {
    readonly path: { readonly token: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "invites.join": {
    readonly path: { readonly token: string }
    readonly query: Empty
    readonly body: { readonly password: string; readonly name?: string }
    readonly data: { readonly user: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly organization: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }; readonly token: string }
    readonly isList: false
  }
  "invites.accept": {
    readonly path: { readonly token: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly name: string; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly timezone: string; readonly role: "viewer" | "member" | "admin" | "owner"; readonly isDisabled: boolean; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "api-keys.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly role?: "viewer" | "member" | "admin"; readonly expiresAt?: string | null }
    readonly data: { readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null; readonly key: string }
    readonly isList: false
  }
  "api-keys.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null })[]
    readonly isList: true
  }
  "api-keys.change": {
    readonly path: { readonly orgId: string; readonly keyId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly expiresAt?: string | null }
    readonly data: { readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null }
    readonly isList: false
  }
  "api-keys.revoke": {
    readonly path: { readonly orgId: string; readonly keyId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null } | { readonly id: string }
    readonly isList: false
  }
  "api-keys.rotate": {
    readonly path: { readonly orgId: string; readonly keyId: string }
    readonly query: Empty
    readonly body: { readonly revokeNow?: boolean }
    readonly data: { readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null; readonly key: string }
    readonly isList: false
  }
  "api-keys.adopt": {
    readonly path: { readonly orgId: string; readonly keyId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly name: string; readonly role: "viewer" | "member" | "admin"; readonly effectiveRole: "viewer" | "member" | "admin" | null; readonly endedBecause: "expired" | "maker_left" | "maker_switched_off" | "maker_deleted" | "maker_unreadable" | null; readonly prefix: string; readonly createdBy: string; readonly madeBy: { readonly name: string | null; readonly email: string } | null; readonly createdAt: string; readonly expiresAt: string | null; readonly lastUsedAt: string | null; readonly lastUsedFrom: string | null; readonly replacedBy: string | null }
    readonly isList: false
  }
  "audit-log.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly action?: string; readonly actorId?: string; readonly outcome?: "done" | "refused" | "failed"; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly sequence: number; readonly at: string; readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null; readonly email: string | null; readonly sessionId: string | null }; readonly address: string; readonly requestId: string; readonly action: "monitor.created" | "monitor.changed" | "monitor.deleted" | "monitor.paused" | "monitor.resumed" | "monitor.tested" | "monitor.token_replaced" | "channel.created" | "channel.changed" | "channel.deleted" | "channel.tested" | "channel.repeated" | "channel.unsubscribed" | "page.created" | "page.changed" | "page.deleted" | "page.subdomain_changed" | "domain.created" | "domain.moved" | "domain.deleted" | "domain.verified" | "domain.activated" | "domain.failed" | "subscriber.added" | "subscriber.deleted" | "subscriber.exported" | "maintenance.created" | "maintenance.changed" | "maintenance.deleted" | "maintenance.ended" | "maintenance.extended" | "maintenance.cancelled" | "key.created" | "key.changed" | "key.rotated" | "key.revoked" | "key.role_changed" | "key.ended" | "key.adopted" | "member.added" | "member.role_changed" | "member.removed" | "member.left" | "invite.created" | "invite.accepted" | "invite.revoked" | "invite.ended" | "incident.declared" | "incident.acknowledged" | "incident.updated" | "incident.resolved" | "incident.changed" | "incident.deleted" | "access.refused" | "delivery.repeated" | "email.verification_asked" | "email.verified" | "email.change_asked" | "email.change_refused" | "email.changed" | "identity.linked" | "organization.created" | "organization.changed" | "organization.deleted" | "organization.exported" | "organization.imported" | "organization.transferred" | "organization.quotas_changed" | "organization.switched_off" | "organization.switched_on" | "password.reset_asked" | "password.reset" | "password.change" | "recovery_code.used" | "referral_code.changed" | "session.started" | "session.confirmed" | "session.refused" | "session.ended" | "sign_in_link.asked" | "system_notices.channels_chosen" | "backup.started" | "backup.deleted" | "backup.restored" | "task.started" | "totp.begun" | "totp.enabled" | "totp.disabled" | "totp.reset" | "user.registered" | "user.changed" | "user.deleted" | "user.switched_off" | "user.switched_on" | "user.made_administrator" | "user.made_ordinary" | "verification.submitted" | "verification.withdrawn" | "verification.read" | "verification.erased" | "verification.pending" | "verification.in_review" | "verification.approved" | "verification.rejected" | "verification.expired"; readonly objectId: string | null; readonly objectName: string | null; readonly fields: readonly (string)[]; readonly outcome: "done" | "refused" | "failed"; readonly detail: string | null; readonly previousHash: string; readonly hash: string })[]
    readonly isList: true
  }
  "audit-log.verify": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly ok: boolean; readonly entries: number; readonly firstSequence: number | null; readonly newestSequence: number; readonly headHash: string; readonly brokenAt?: { readonly sequence: number; readonly id: string | null; readonly reason: "missing" | "changed" | "moved" | "removed at the end" } }
    readonly isList: false
  }
  "audit-log.export": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly format?: "ndjson" | "csv"; readonly from?: string; readonly to?: string; readonly after?: number }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "monitors.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly state?: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly tag?: string; readonly q?: string; readonly isActive?: boolean; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string })[]
    readonly isList: true
  }
  "monitors.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "monitors.changeMany": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly ids?: readonly (string)[]; readonly tag?: string; readonly isActive?: boolean; readonly addTags?: readonly (string)[]; readonly removeTags?: readonly (string)[] }
    readonly data: { readonly matched: number; readonly changed: number }
    readonly isList: false
  }
  "monitors.removeMany": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly ids?: readonly (string)[]; readonly tag?: string }
    readonly data: { readonly deleted: number }
    readonly isList: false
  }
  "monitors.get": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "monitors.run": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly monitorId: string; readonly at: string; readonly outcome: "up" | "degraded" | "down" | "unknown"; readonly responseTimeMs: number; readonly status: number | null; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly message: string | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } | null; readonly address: string | null; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly failure: { readonly at: string; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly status: number | null; readonly headers: readonly ({ readonly name: string; readonly value: string })[]; readonly url: string | null; readonly redirects: number | null; readonly body: string | null; readonly failedAssertions: readonly ({ readonly expected: string; readonly found: string })[]; readonly note: string | null } | null; readonly found: Readonly<Record<string, unknown>> | string | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly openIncidentId: string | null }
    readonly isList: false
  }
  "monitors.change": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain" | null; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | null; readonly headers?: Readonly<Record<string, string>> | null; readonly body?: string | null; readonly followRedirects?: boolean | null; readonly maxRedirects?: number | null; readonly ignoreTlsErrors?: boolean | null; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[] | null; readonly domainWarnDays?: readonly (number)[] | null; readonly ipFamily?: "any" | "ipv4" | "ipv6" | null; readonly expectedStatus?: number | null; readonly acceptedStatuses?: readonly (string)[] | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[] | null; readonly intervalMinutes?: number | null; readonly intervalSeconds?: number | null; readonly timeoutMs?: number | null; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number | null; readonly recoveryThreshold?: number | null; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number | null; readonly degradedOpensIncident?: boolean | null; readonly graceSeconds?: number | null; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number | null; readonly autoRecoveryMinutes?: number | null; readonly isActive?: boolean | null; readonly isPublic?: boolean | null; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[] | null; readonly reminderMinutes?: number | null; readonly dependsOn?: readonly (string)[] | null; readonly sloPercent?: number | null; readonly tags?: readonly (string)[] | null; readonly description?: string | null; readonly runbookUrl?: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "monitors.remove": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "monitors.pause": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "monitors.resume": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly url: string | null; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html"; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value: string | null })[]; readonly intervalMinutes: number; readonly intervalSeconds: number; readonly timeoutMs?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly isActive: boolean; readonly isPublic: boolean; readonly publicName: string | null; readonly notifyChannelIds: readonly (string)[]; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly retryIntervalSeconds?: number | null; readonly reminderMinutes: number; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly tags: readonly (string)[]; readonly description: string | null; readonly runbookUrl: string | null; readonly graceSeconds: number; readonly schedule?: string | null; readonly timezone?: string; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly dependsOn: readonly (string)[]; readonly sloPercent: number | null; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastCheckAt: string | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly responseTimeMs: number | null; readonly nextCheckAt: string | null; readonly openIncidentId: string | null; readonly uptime: { readonly "24h": number | null; readonly "7d": number | null; readonly "30d": number | null; readonly "90d": number | null }; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly pushToken: string | null; readonly pushUrl: string | null; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "monitors.checks": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly from?: string; readonly to?: string; readonly outcome?: "up" | "degraded" | "down" | "unknown"; readonly errorKind?: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly status?: number; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly at: string; readonly outcome: "up" | "degraded" | "down" | "unknown"; readonly responseTimeMs: number; readonly status: number | null; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly message: string | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } | null })[]
    readonly isList: true
  }
  "monitors.latest": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly at: string | null; readonly outcome: "up" | "degraded" | "down" | "unknown" | null; readonly responseTimeMs: number | null; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } | null; readonly address: string | null; readonly failure: { readonly at: string; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly status: number | null; readonly headers: readonly ({ readonly name: string; readonly value: string })[]; readonly url: string | null; readonly redirects: number | null; readonly body: string | null; readonly failedAssertions: readonly ({ readonly expected: string; readonly found: string })[]; readonly note: string | null } | null; readonly lastReportAt: string | null; readonly report: { readonly at: string; readonly metadata: Readonly<Record<string, unknown>> } | null; readonly found: Readonly<Record<string, unknown>> | string | null }
    readonly isList: false
  }
  "monitors.test": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly monitorId?: string }
    readonly body: { readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null }
    readonly data: { readonly at: string; readonly outcome: "up" | "degraded" | "down" | "unknown"; readonly responseTimeMs: number; readonly status: number | null; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly message: string | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } | null; readonly address: string | null; readonly certificate: { readonly expiresAt: string; readonly issuer: string } | null; readonly failure: { readonly at: string; readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly status: number | null; readonly headers: readonly ({ readonly name: string; readonly value: string })[]; readonly url: string | null; readonly redirects: number | null; readonly body: string | null; readonly failedAssertions: readonly ({ readonly expected: string; readonly found: string })[]; readonly note: string | null } | null; readonly found: Readonly<Record<string, unknown>> | string | null; readonly answer: { readonly status: number; readonly headers: readonly ({ readonly name: string; readonly value: string })[]; readonly body: string | null; readonly isCut: boolean; readonly note: string | null } | null }
    readonly isList: false
  }
  "monitors.createMany": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly monitors: readonly ({ readonly name: string; readonly url?: string | null; readonly checkType?: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | null; readonly followRedirects?: boolean; readonly maxRedirects?: number; readonly ignoreTlsErrors?: boolean; readonly caCertificates?: string | null; readonly certificateWarnDays?: readonly (number)[]; readonly domainWarnDays?: readonly (number)[]; readonly ipFamily?: "any" | "ipv4" | "ipv6"; readonly expectedStatus?: number; readonly acceptedStatuses?: readonly (string)[]; readonly bodyContains?: string | null; readonly bodyNotContains?: string | null; readonly responseFormat?: "auto" | "text" | "json" | "xml" | "html" | "" | null; readonly responseAssertionType?: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals" | "" | null; readonly responseAssertionPath?: string | null; readonly responseAssertionValue?: string | null; readonly assertions?: readonly ({ readonly source: "status" | "header" | "body" | "json" | "xml" | "html" | "responseTime" | "certificateDays" | "ip"; readonly path?: string | null; readonly type: "contains" | "notContains" | "equals" | "notEquals" | "regex" | "jsonPath" | "exists" | "notExists" | "greaterThan" | "greaterOrEqual" | "lessThan" | "lessOrEqual" | "type" | "lengthEquals"; readonly value?: string | null })[]; readonly intervalMinutes?: number; readonly intervalSeconds?: number | null; readonly timeoutMs?: number; readonly retryIntervalSeconds?: number | null; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly schedule?: string | null; readonly timezone?: string | null; readonly maxRunSeconds?: number; readonly autoRecoveryMinutes?: number; readonly isActive?: boolean; readonly isPublic?: boolean; readonly publicName?: string | null; readonly notifyChannelIds?: readonly (string)[]; readonly reminderMinutes?: number; readonly dependsOn?: readonly (string)[]; readonly sloPercent?: number | null; readonly tags?: readonly (string)[]; readonly description?: string | null; readonly runbookUrl?: string | null })[] }
    readonly data: { readonly created: number; readonly ids: readonly (string)[] }
    readonly isList: false
  }
  "overview.all": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly monitors: readonly ({ readonly id: string; readonly name: string; readonly checkType: "endpoint" | "health" | "keyword" | "ssl" | "ping" | "push" | "tcp" | "dns" | "websocket" | "smtp" | "domain"; readonly tags: readonly (string)[]; readonly isPublic: boolean; readonly state: "pending" | "up" | "degraded" | "down" | "unknown" | "paused" | "maintenance"; readonly stateSince: string; readonly confirming: { readonly failed: number; readonly needed: number } | null; readonly lastOutcome: "up" | "degraded" | "down" | "unknown" | null; readonly lastError: string | null; readonly responseTimeMs: number | null; readonly openIncidentId: string | null })[] }
    readonly isList: false
  }
  "overview.recent": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly monitorIds?: readonly (string)[] }
    readonly body: undefined
    readonly data: { readonly monitors: readonly ({ readonly monitorId: string; readonly uptime: number | null; readonly from: string; readonly hours: readonly ("up" | "degraded" | "down" | "none")[]; readonly medianMs: readonly (number | null)[] })[] }
    readonly isList: false
  }
  "monitors.runs": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly number: number; readonly status: "running" | "ok" | "error" | "timeout" | "lost" | "log"; readonly startedAt: string | null; readonly endedAt: string | null; readonly durationMs: number | null; readonly exitCode: number | null; readonly runId: string | null; readonly message: string | null; readonly hasLog: boolean })[]
    readonly isList: true
  }
  "monitors.oneRun": {
    readonly path: { readonly orgId: string; readonly monitorId: string; readonly number: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly number: number; readonly status: "running" | "ok" | "error" | "timeout" | "lost" | "log"; readonly startedAt: string | null; readonly endedAt: string | null; readonly durationMs: number | null; readonly exitCode: number | null; readonly runId: string | null; readonly message: string | null; readonly hasLog: boolean; readonly log: string | null }
    readonly isList: false
  }
  "monitors.replaceToken": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: { readonly revokeNow?: boolean }
    readonly data: { readonly pushToken: string | null; readonly pushUrl: string | null; readonly formerTokenUntil: string | null }
    readonly isList: false
  }
  "monitors.uptime": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly window?: "24h" | "7d" | "30d" | "90d" | "365d"; readonly month?: string; readonly from?: string; readonly to?: string }
    readonly body: undefined
    readonly data: { readonly monitorId: string; readonly name: string; readonly from: string; readonly to: string; readonly uptime: number | null; readonly coverage: number; readonly upSeconds: number; readonly degradedSeconds: number; readonly downSeconds: number; readonly countedSeconds: number; readonly pausedSeconds: number; readonly maintenanceSeconds: number; readonly unknownSeconds: number; readonly outages: number; readonly meanSecondsToRecover: number | null; readonly meanSecondsBetweenOutages: number | null }
    readonly isList: false
  }
  "monitors.responseTimes": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly from?: string; readonly to?: string; readonly points?: number }
    readonly body: undefined
    readonly data: { readonly from: string; readonly to: string; readonly pointSeconds: number; readonly total: { readonly results: { readonly up: number; readonly degraded: number; readonly down: number; readonly unknown: number }; readonly count: number; readonly minMs: number | null; readonly avgMs: number | null; readonly p50Ms: number | null; readonly p95Ms: number | null; readonly p99Ms: number | null; readonly maxMs: number | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } }; readonly points: readonly ({ readonly at: string; readonly results: { readonly up: number; readonly degraded: number; readonly down: number; readonly unknown: number }; readonly count: number; readonly minMs: number | null; readonly avgMs: number | null; readonly p50Ms: number | null; readonly p95Ms: number | null; readonly p99Ms: number | null; readonly maxMs: number | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } })[]; readonly maintenance: readonly ({ readonly from: string; readonly to: string })[] }
    readonly isList: false
  }
  "uptime.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly tag?: string; readonly window?: "24h" | "7d" | "30d" | "90d" | "365d"; readonly month?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly monitorId: string; readonly name: string; readonly from: string; readonly to: string; readonly uptime: number | null; readonly coverage: number; readonly upSeconds: number; readonly degradedSeconds: number; readonly downSeconds: number; readonly countedSeconds: number; readonly pausedSeconds: number; readonly maintenanceSeconds: number; readonly unknownSeconds: number; readonly outages: number; readonly meanSecondsToRecover: number | null; readonly meanSecondsBetweenOutages: number | null })[]
    readonly isList: true
  }
  "uptime.total": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly tag?: string; readonly window?: "24h" | "7d" | "30d" | "90d" | "365d"; readonly month?: string; readonly from?: string; readonly to?: string }
    readonly body: undefined
    readonly data: { readonly monitors: number; readonly from: string; readonly to: string; readonly uptime: number | null; readonly coverage: number; readonly upSeconds: number; readonly degradedSeconds: number; readonly downSeconds: number; readonly countedSeconds: number; readonly pausedSeconds: number; readonly maintenanceSeconds: number; readonly unknownSeconds: number }
    readonly isList: false
  }
  "monitors.simulate": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: { readonly from?: string; readonly to?: string; readonly failureThreshold?: number; readonly recoveryThreshold?: number; readonly degradedThresholdMs?: number | null; readonly degradedThreshold?: number; readonly degradedOpensIncident?: boolean; readonly graceSeconds?: number; readonly reminderMinutes?: number }
    readonly data: { readonly monitorId: string; readonly from: string; readonly to: string; readonly results: number; readonly firstResultAt: string | null; readonly lastResultAt: string | null; readonly changed: { readonly thresholds: { readonly failureThreshold: number; readonly recoveryThreshold: number; readonly degradedThresholdMs: number | null; readonly degradedThreshold: number; readonly degradedOpensIncident: boolean; readonly graceSeconds: number; readonly reminderMinutes: number }; readonly seconds: { readonly up: number; readonly degraded: number; readonly down: number; readonly excluded: number }; readonly incidentsTotal: number; readonly alertsTotal: number; readonly incidents: readonly ({ readonly severity: "down" | "degraded"; readonly startedAt: string; readonly confirmedAt: string; readonly endedAt: string | null; readonly durationSeconds: number; readonly cause: string; readonly errorKind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed" | null; readonly reopenings: number; readonly flapping: boolean; readonly alertsTotal: number; readonly alerts: readonly ({ readonly event: "incident.opened" | "incident.updated" | "incident.resolved" | "incident.reminder"; readonly channelId: string; readonly at: string; readonly sentAt: string })[] })[]; readonly channels: readonly ({ readonly channelId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly alerts: number })[] }; readonly current: { readonly thresholds: { readonly failureThreshold: number; readonly recoveryThreshold: number; readonly degradedThresholdMs: number | null; readonly degradedThreshold: number; readonly degradedOpensIncident: boolean; readonly graceSeconds: number; readonly reminderMinutes: number }; readonly seconds: { readonly up: number; readonly degraded: number; readonly down: number; readonly excluded: number }; readonly incidentsTotal: number; readonly alertsTotal: number; readonly incidents: readonly ({ readonly severity: "down" | "degraded"; readonly startedAt: string; readonly confirmedAt: string; readonly endedAt: string | null; readonly durationSeconds: number; readonly cause: string; readonly errorKind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed" | null; readonly reopenings: number; readonly flapping: boolean; readonly alertsTotal: number; readonly alerts: readonly ({ readonly event: "incident.opened" | "incident.updated" | "incident.resolved" | "incident.reminder"; readonly channelId: string; readonly at: string; readonly sentAt: string })[] })[]; readonly channels: readonly ({ readonly channelId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly alerts: number })[] }; readonly real: { readonly incidentsTotal: number; readonly incidents: readonly ({ readonly id: string; readonly title: string; readonly severity: "down" | "degraded"; readonly startedAt: string; readonly confirmedAt: string; readonly resolvedAt: string | null; readonly flapping: boolean })[] }; readonly notes: readonly (string)[] }
    readonly isList: false
  }
  "monitors.report": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly month?: string }
    readonly body: undefined
    readonly data: { readonly statement: string; readonly signature: string; readonly publicKey: string; readonly keyId: string; readonly algorithm: "Ed25519"; readonly report: { readonly type: "stillup.uptime-report"; readonly version: number; readonly keyId: string; readonly generatedAt: string; readonly product: { readonly name: string; readonly version: string }; readonly service: string; readonly organization: { readonly id: string; readonly name: string }; readonly monitor: { readonly id: string; readonly name: string; readonly checkType: string }; readonly period: { readonly month: string; readonly from: string; readonly to: string; readonly isComplete: boolean }; readonly seconds: { readonly total: number; readonly up: number; readonly degraded: number; readonly down: number; readonly maintenance: number; readonly paused: number; readonly unknown: number }; readonly coverage: number; readonly uptimeRatio: number | null; readonly objectivePercent: number | null; readonly incidents: readonly ({ readonly id: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly causeKind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed" | null; readonly startedAt: string; readonly endedAt: string | null; readonly seconds: number })[]; readonly incidentsTotal: number } }
    readonly isList: false
  }
  "monitors.reportPage": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly month?: string }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "monitors.slo": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly monitorId: string; readonly month: string; readonly objectivePercent: number; readonly state: "ok" | "at_risk" | "exhausted" | "no_data"; readonly budgetSeconds: number; readonly usedSeconds: number; readonly leftSeconds: number; readonly leftPercent: number; readonly burnRates: { readonly "1h": number | null; readonly "6h": number | null; readonly "24h": number | null; readonly "3d": number | null }; readonly exhaustedAt: string | null }
    readonly isList: false
  }
  "monitors.testAlerts": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: Empty
    readonly body: { readonly event?: "incident.opened" | "incident.reminder" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted"; readonly severity?: "down" | "degraded"; readonly at?: string; readonly send?: boolean }
    readonly data: { readonly event: "incident.opened" | "incident.reminder" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted"; readonly severity: "down" | "degraded"; readonly at: string; readonly channels: readonly ({ readonly channelId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly gets: "now" | "later" | "never"; readonly alertAt: string | null; readonly reason: "delay" | "organization_off" | "other_channels_named" | "not_default" | "tags" | "switched_off" | "switched_off_by_service" | "event" | "severity" | "flapping" | "acknowledged" | "dependency" | "quiet_hours" | "maintenance" | null; readonly explanation: string; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number }; readonly test: { readonly delivered: boolean; readonly status: number | null; readonly response: string | null; readonly error: string | null; readonly durationMs: number; readonly message: string } | null })[] }
    readonly isList: false
  }
  "incidents.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly state?: "open" | "acknowledged" | "resolved"; readonly severity?: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly from?: string; readonly to?: string; readonly q?: string; readonly monitorId?: string; readonly tag?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null })[]
    readonly isList: true
  }
  "incidents.declare": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly title: string; readonly severity?: "declared" | "down" | "degraded"; readonly monitorIds?: readonly (string)[]; readonly message?: string; readonly isPublic?: boolean; readonly startedAt?: string }
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null }
    readonly isList: false
  }
  "incidents.previewPostmortem": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly postmortem: string }
    readonly data: { readonly html: string }
    readonly isList: false
  }
  "incidents.get": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean; readonly html: string | null })[]; readonly postmortem: string | null; readonly reopensAt: string | null; readonly evidence: { readonly error: { readonly kind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed"; readonly message: string; readonly phase?: "dns" | "connect" | "tls" | "firstByte" | "download" } | null; readonly phases: { readonly dns?: number; readonly connect?: number; readonly tls?: number; readonly firstByte?: number; readonly download?: number } | null; readonly status: number | null; readonly headers: readonly ({ readonly name: string; readonly value: string })[]; readonly url: string | null; readonly redirects: number | null; readonly body: string | null; readonly failedAssertions: readonly ({ readonly expected: string; readonly found: string })[]; readonly note: string | null; readonly message: string | null; readonly metadata: Readonly<Record<string, unknown>> | string | null } | null }
    readonly isList: false
  }
  "incidents.change": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: { readonly title?: string; readonly severity?: "declared" | "down" | "degraded"; readonly isPublic?: boolean; readonly postmortem?: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null }
    readonly isList: false
  }
  "incidents.remove": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "incidents.acknowledge": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: { readonly message?: string }
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null }
    readonly isList: false
  }
  "incidents.resolve": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: { readonly message?: string; readonly isPublic?: boolean }
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null }
    readonly isList: false
  }
  "incidents.update": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: { readonly message: string; readonly status?: "investigating" | "identified" | "monitoring" | "resolved"; readonly isPublic?: boolean }
    readonly data: { readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null }
    readonly isList: false
  }
  "incidents.explain": {
    readonly path: { readonly orgId: string; readonly incidentId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly incidentId: string; readonly title: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly state: "open" | "acknowledged" | "resolved"; readonly isDeclared: boolean; readonly decisions: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly explanation: string; readonly basis: { readonly rule: "failures" | "slow" | "reported" | "missed" | "still_failing" | "held_back" | "unstable"; readonly monitorId: string; readonly needed: number; readonly among: number; readonly countedAt: readonly (string)[]; readonly slowAboveMs: number | null } | null; readonly checks: readonly ({ readonly at: string; readonly outcome: "up" | "degraded" | "down" | "unknown"; readonly responseTimeMs: number; readonly status: number | null; readonly errorKind: "dns" | "connect" | "tls" | "timeout" | "reset" | "status" | "assertion" | "body_too_large" | "redirect_loop" | "blocked" | "invalid_response" | "reported" | "missed" | null; readonly message: string | null; readonly counted: boolean })[] })[]; readonly channels: readonly ({ readonly channelId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly events: readonly ({ readonly event: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing" | "channel.recovered" | "system.notice" | "channel.test"; readonly at: string; readonly outcome: "sent" | "waiting" | "merged" | "folded" | "given_up" | "not_sent"; readonly reason: "delay" | "retry" | "turn" | "organization_off" | "other_channels_named" | "not_default" | "tags" | "switched_off" | "switched_off_by_service" | "event" | "severity" | "flapping" | "acknowledged" | "dependency" | "quiet_hours" | "maintenance" | "created_later" | "not_informed" | "monitor_gone" | "over_early" | "no_record" | null; readonly explanation: string; readonly waitsUntil: string | null; readonly deliveryId: string | null; readonly intoDeliveryId: string | null; readonly attempts: number; readonly error: string | null; readonly deliveredAt: string | null })[]; readonly now: { readonly gets: "now" | "later" | "never"; readonly alertAt: string | null; readonly reason: "delay" | "organization_off" | "other_channels_named" | "not_default" | "tags" | "switched_off" | "switched_off_by_service" | "event" | "severity" | "flapping" | "acknowledged" | "dependency" | "quiet_hours" | "maintenance" | null; readonly explanation: string } })[]; readonly channelsTotal: number; readonly isComplete: boolean }
    readonly isList: false
  }
  "monitors.incidents": {
    readonly path: { readonly orgId: string; readonly monitorId: string }
    readonly query: { readonly state?: "open" | "acknowledged" | "resolved"; readonly severity?: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly from?: string; readonly to?: string; readonly q?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly monitorIds: readonly (string)[]; readonly title: string; readonly cause: string; readonly severity: "down" | "degraded" | "certificate" | "domain" | "declared"; readonly isDeclared: boolean; readonly state: "open" | "acknowledged" | "resolved"; readonly startedAt: string; readonly confirmedAt: string; readonly acknowledgedAt: string | null; readonly acknowledgedBy: string | null; readonly resolvedAt: string | null; readonly resolution: "recovered" | "manual" | "paused" | "deleted" | null; readonly durationMs: number; readonly flapping: boolean; readonly heldBy: string | null; readonly isPublic: boolean; readonly timeline: readonly ({ readonly at: string; readonly kind: "opened" | "reopened" | "worsened" | "flapping" | "settled" | "held" | "released" | "acknowledged" | "update" | "closed" | "resolved" | "recovered"; readonly message: string; readonly status: "investigating" | "identified" | "monitoring" | "resolved" | null; readonly by: string | null; readonly isPublic: boolean })[]; readonly postmortem: string | null; readonly reopensAt: string | null })[]
    readonly isList: true
  }
  "maintenance-windows.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly description?: string | null; readonly monitorIds?: readonly (string)[] | null; readonly tags?: readonly (string)[] | null; readonly startsAt?: string | null; readonly endsAt?: string | null; readonly cron?: string | null; readonly durationMinutes?: number | null; readonly timezone?: string | null; readonly isPublic?: boolean | null; readonly isForAll?: boolean | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "maintenance-windows.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly state?: "scheduled" | "active" | "ended"; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number })[]
    readonly isList: true
  }
  "maintenance-windows.get": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "maintenance-windows.change": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly description?: string | null; readonly monitorIds?: readonly (string)[] | null; readonly tags?: readonly (string)[] | null; readonly startsAt?: string | null; readonly endsAt?: string | null; readonly cron?: string | null; readonly durationMinutes?: number | null; readonly timezone?: string | null; readonly isPublic?: boolean | null; readonly isForAll?: boolean | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "maintenance-windows.remove": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "maintenance-windows.end": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "maintenance-windows.extend": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: { readonly minutes: number }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "maintenance-windows.cancel": {
    readonly path: { readonly orgId: string; readonly maintenanceId: string }
    readonly query: Empty
    readonly body: { readonly startsAt: string }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly description: string | null; readonly monitorIds: readonly (string)[]; readonly tags: readonly (string)[]; readonly isForAll: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly cron: string | null; readonly durationMinutes: number | null; readonly timezone: string | null; readonly isPublic: boolean; readonly state: "scheduled" | "active" | "ended"; readonly occurrences: readonly ({ readonly startsAt: string; readonly endsAt: string })[]; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "events.open": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly types?: readonly ("monitor.changed" | "monitor.state" | "check.completed" | "incident.opened" | "incident.updated" | "incident.resolved" | "channels.changed")[] }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "alert-channels.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: unknown; readonly isActive?: boolean; readonly isDefault?: boolean; readonly events?: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity?: "degraded" | "down"; readonly delayMinutes?: number; readonly tags?: readonly (string)[]; readonly quietHours?: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault: boolean; readonly events: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags: readonly (string)[]; readonly quietHours: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null; readonly disabledReason: string | null; readonly missingSecrets: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number } }
    readonly isList: false
  }
  "alert-channels.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault: boolean; readonly events: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags: readonly (string)[]; readonly quietHours: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null; readonly disabledReason: string | null; readonly missingSecrets: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number } })[]
    readonly isList: true
  }
  "alert-channels.get": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault: boolean; readonly events: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags: readonly (string)[]; readonly quietHours: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null; readonly disabledReason: string | null; readonly missingSecrets: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number } }
    readonly isList: false
  }
  "alert-channels.change": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly type?: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config?: Readonly<Record<string, unknown>>; readonly isActive?: boolean | null; readonly isDefault?: boolean | null; readonly events?: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[] | null; readonly minSeverity?: "degraded" | "down" | null; readonly delayMinutes?: number | null; readonly tags?: readonly (string)[] | null; readonly quietHours?: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault: boolean; readonly events: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags: readonly (string)[]; readonly quietHours: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null; readonly disabledReason: string | null; readonly missingSecrets: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number } }
    readonly isList: false
  }
  "alert-channels.remove": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: Readonly<Record<string, unknown>>; readonly isActive: boolean; readonly isDefault: boolean; readonly events: readonly ("incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing")[]; readonly minSeverity: "degraded" | "down"; readonly delayMinutes: number; readonly tags: readonly (string)[]; readonly quietHours: { readonly timezone: string; readonly from: string; readonly to: string; readonly days?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly allowDown?: boolean } | null; readonly disabledReason: string | null; readonly missingSecrets: readonly (string)[]; readonly createdAt: string; readonly updatedAt: string; readonly usedByMonitors: number } | { readonly id: string; readonly orgId: string; readonly usedByMonitors: number }
    readonly isList: false
  }
  "alert-channels.types": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: readonly ({ readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly title: string; readonly isSetUp: boolean; readonly missingSettings: readonly (string)[] })[]
    readonly isList: false
  }
  "alert-channels.troubles": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly channels: readonly ({ readonly id: string; readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly health: { readonly state: "untested" | "test_failed" | "ok" | "failing" | "disabled"; readonly since: string | null; readonly consecutiveFailures: number; readonly lastError: string | null; readonly lastDeliveredAt: string | null; readonly nextAttemptAt: string | null; readonly missingSettings: readonly (string)[]; readonly oldestPendingAt: string | null; readonly pending: number } })[]; readonly channelsTotal: number; readonly pending: number }
    readonly isList: false
  }
  "alert-channels.testDraft": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly type: "webhook" | "email" | "slack" | "pagerduty" | "opsgenie" | "splunk-oncall" | "alertmanager" | "ntfy" | "gotify" | "pushover" | "twilio" | "discord" | "teams" | "googlechat" | "mattermost" | "rocketchat" | "zulip" | "webex" | "matrix" | "signal" | "telegram" | "line" | "feishu" | "dingtalk" | "wecom"; readonly config: unknown }
    readonly data: { readonly delivered: boolean; readonly status: number | null; readonly response: string | null; readonly error: string | null; readonly durationMs: number }
    readonly isList: false
  }
  "alert-channels.test": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly config?: Readonly<Record<string, unknown>> }
    readonly data: { readonly delivered: boolean; readonly status: number | null; readonly response: string | null; readonly error: string | null; readonly durationMs: number }
    readonly isList: false
  }
  "alert-channels.deliveries": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: { readonly state?: "pending" | "delivered" | "dead"; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly channelId: string; readonly incidentId: string | null; readonly event: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing" | "channel.recovered" | "system.notice" | "channel.test"; readonly webhookId: string; readonly state: "pending" | "delivered" | "dead"; readonly attempts: number; readonly nextAttemptAt: string | null; readonly heldUntil: string | null; readonly lastAttemptAt: string | null; readonly lastStatus: number | null; readonly lastError: string | null; readonly deliveredAt: string | null; readonly mergedIntoId: string | null; readonly waitsFor: "delay" | "quiet_hours" | "retry" | "turn" | null; readonly dwellMs: number | null; readonly createdAt: string })[]
    readonly isList: true
  }
  "alert-channels.delivery": {
    readonly path: { readonly orgId: string; readonly channelId: string; readonly deliveryId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly channelId: string; readonly incidentId: string | null; readonly event: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing" | "channel.recovered" | "system.notice" | "channel.test"; readonly webhookId: string; readonly state: "pending" | "delivered" | "dead"; readonly attempts: number; readonly nextAttemptAt: string | null; readonly heldUntil: string | null; readonly lastAttemptAt: string | null; readonly lastStatus: number | null; readonly lastError: string | null; readonly deliveredAt: string | null; readonly mergedIntoId: string | null; readonly waitsFor: "delay" | "quiet_hours" | "retry" | "turn" | null; readonly dwellMs: number | null; readonly createdAt: string; readonly attemptLog: readonly ({ readonly at: string; readonly durationMs: number; readonly class: "delivered" | "refused" | "rate_limited" | "server_error" | "client_error" | "redirect" | "timeout" | "connection" | "tls" | "not_allowed" | "disabled" | "not_sent"; readonly status: number | null; readonly reason: string | null; readonly request: string | null; readonly response: string | null })[] }
    readonly isList: false
  }
  "alert-channels.redeliverAll": {
    readonly path: { readonly orgId: string; readonly channelId: string }
    readonly query: Empty
    readonly body: { readonly state: "dead"; readonly since?: string }
    readonly data: { readonly redelivered: number; readonly hasMore: boolean }
    readonly isList: false
  }
  "alert-channels.redeliver": {
    readonly path: { readonly orgId: string; readonly channelId: string; readonly deliveryId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly channelId: string; readonly incidentId: string | null; readonly event: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing" | "channel.recovered" | "system.notice" | "channel.test"; readonly webhookId: string; readonly state: "pending" | "delivered" | "dead"; readonly attempts: number; readonly nextAttemptAt: string | null; readonly heldUntil: string | null; readonly lastAttemptAt: string | null; readonly lastStatus: number | null; readonly lastError: string | null; readonly deliveredAt: string | null; readonly mergedIntoId: string | null; readonly waitsFor: "delay" | "quiet_hours" | "retry" | "turn" | null; readonly dwellMs: number | null; readonly createdAt: string }
    readonly isList: false
  }
  "alert-deliveries.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly state?: "pending" | "delivered" | "dead"; readonly channelId?: string; readonly incidentId?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly channelId: string; readonly incidentId: string | null; readonly event: "incident.opened" | "incident.acknowledged" | "incident.resolved" | "incident.reminder" | "incident.updated" | "incident.digest" | "certificate.expiring" | "domain.expiring" | "slo.at_risk" | "slo.exhausted" | "channel.failing" | "channel.recovered" | "system.notice" | "channel.test"; readonly webhookId: string; readonly state: "pending" | "delivered" | "dead"; readonly attempts: number; readonly nextAttemptAt: string | null; readonly heldUntil: string | null; readonly lastAttemptAt: string | null; readonly lastStatus: number | null; readonly lastError: string | null; readonly deliveredAt: string | null; readonly mergedIntoId: string | null; readonly waitsFor: "delay" | "quiet_hours" | "retry" | "turn" | null; readonly dwellMs: number | null; readonly createdAt: string })[]
    readonly isList: true
  }
  "status-pages.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly slug?: string; readonly isEnabled?: boolean; readonly isDefault?: boolean; readonly isListed?: boolean; readonly title?: string; readonly description?: string; readonly logoUrl?: string | null; readonly showHistory?: boolean; readonly showUptime?: boolean; readonly showIncidents?: boolean; readonly showMonitors?: boolean; readonly showResponseTimes?: boolean; readonly showMonitoredBy?: boolean; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex?: boolean; readonly allowsSubscribers?: boolean; readonly password?: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly slug: string; readonly subdomain: string | null; readonly url: string; readonly subdomainUrl: string | null; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title: string; readonly description: string; readonly logoUrl: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds: readonly (string)[] | null; readonly sections: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[]; readonly theme: { readonly accent: string | null; readonly mode: "auto" | "light" | "dark" }; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subscribers: { readonly active: number; readonly pending: number; readonly failed: number }; readonly hasPassword: boolean; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "status-pages.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly name: string; readonly slug: string; readonly subdomain: string | null; readonly url: string; readonly subdomainUrl: string | null; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title: string; readonly description: string; readonly logoUrl: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds: readonly (string)[] | null; readonly sections: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[]; readonly theme: { readonly accent: string | null; readonly mode: "auto" | "light" | "dark" }; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subscribers: { readonly active: number; readonly pending: number; readonly failed: number }; readonly hasPassword: boolean; readonly createdAt: string; readonly updatedAt: string; readonly revision: number })[]
    readonly isList: true
  }
  "status-pages.preview": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly name: string; readonly slug?: string; readonly isEnabled?: boolean; readonly isDefault?: boolean; readonly isListed?: boolean; readonly title?: string; readonly description?: string; readonly logoUrl?: string | null; readonly showHistory?: boolean; readonly showUptime?: boolean; readonly showIncidents?: boolean; readonly showMonitors?: boolean; readonly showResponseTimes?: boolean; readonly showMonitoredBy?: boolean; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex?: boolean; readonly allowsSubscribers?: boolean }
    readonly data: { readonly html: string }
    readonly isList: false
  }
  "status-pages.get": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly slug: string; readonly subdomain: string | null; readonly url: string; readonly subdomainUrl: string | null; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title: string; readonly description: string; readonly logoUrl: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds: readonly (string)[] | null; readonly sections: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[]; readonly theme: { readonly accent: string | null; readonly mode: "auto" | "light" | "dark" }; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subscribers: { readonly active: number; readonly pending: number; readonly failed: number }; readonly hasPassword: boolean; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "status-pages.change": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: { readonly name?: string; readonly slug?: string | null; readonly isEnabled?: boolean | null; readonly isDefault?: boolean | null; readonly isListed?: boolean | null; readonly title?: string | null; readonly description?: string | null; readonly logoUrl?: string | null; readonly showHistory?: boolean | null; readonly showUptime?: boolean | null; readonly showIncidents?: boolean | null; readonly showMonitors?: boolean | null; readonly showResponseTimes?: boolean | null; readonly showMonitoredBy?: boolean | null; readonly publicMonitorIds?: readonly (string)[] | null; readonly sections?: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[] | null; readonly theme?: { readonly accent?: string | null; readonly mode?: "auto" | "light" | "dark" | null } | null; readonly language?: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone?: string | null; readonly noindex?: boolean | null; readonly allowsSubscribers?: boolean | null; readonly password?: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly slug: string; readonly subdomain: string | null; readonly url: string; readonly subdomainUrl: string | null; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title: string; readonly description: string; readonly logoUrl: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds: readonly (string)[] | null; readonly sections: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[]; readonly theme: { readonly accent: string | null; readonly mode: "auto" | "light" | "dark" }; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subscribers: { readonly active: number; readonly pending: number; readonly failed: number }; readonly hasPassword: boolean; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "status-pages.remove": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "status-pages.setSubdomain": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: { readonly subdomain: string | null }
    readonly data: { readonly id: string; readonly orgId: string; readonly name: string; readonly slug: string; readonly subdomain: string | null; readonly url: string; readonly subdomainUrl: string | null; readonly isEnabled: boolean; readonly isDefault: boolean; readonly isListed: boolean; readonly title: string; readonly description: string; readonly logoUrl: string | null; readonly showHistory: boolean; readonly showUptime: boolean; readonly showIncidents: boolean; readonly showMonitors: boolean; readonly showResponseTimes: boolean; readonly showMonitoredBy: boolean; readonly publicMonitorIds: readonly (string)[] | null; readonly sections: readonly ({ readonly name: string; readonly monitorIds: readonly (string)[] })[]; readonly theme: { readonly accent: string | null; readonly mode: "auto" | "light" | "dark" }; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar" | null; readonly timezone: string | null; readonly noindex: boolean; readonly allowsSubscribers: boolean; readonly subscribers: { readonly active: number; readonly pending: number; readonly failed: number }; readonly hasPassword: boolean; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "custom-domains.create": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly hostname: string; readonly statusPageId: string }
    readonly data: { readonly id: string; readonly orgId: string; readonly hostname: string; readonly statusPageId: string; readonly status: "pending" | "verified" | "active" | "failed"; readonly problem: "proof_missing" | "proof_other" | "proof_spreading" | "names_unanswered" | "no_address" | "leads_elsewhere" | "taken" | null; readonly reason: string | null; readonly records: readonly ({ readonly type: "TXT" | "CNAME" | "A" | "AAAA"; readonly name: string; readonly value: string })[]; readonly verifiedAt: string | null; readonly failingSince: string | null; readonly lastCheckedAt: string | null; readonly nextCheckAt: string | null; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "custom-domains.list": {
    readonly path: { readonly orgId: string }
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly orgId: string; readonly hostname: string; readonly statusPageId: string; readonly status: "pending" | "verified" | "active" | "failed"; readonly problem: "proof_missing" | "proof_other" | "proof_spreading" | "names_unanswered" | "no_address" | "leads_elsewhere" | "taken" | null; readonly reason: string | null; readonly records: readonly ({ readonly type: "TXT" | "CNAME" | "A" | "AAAA"; readonly name: string; readonly value: string })[]; readonly verifiedAt: string | null; readonly failingSince: string | null; readonly lastCheckedAt: string | null; readonly nextCheckAt: string | null; readonly createdAt: string; readonly updatedAt: string; readonly revision: number })[]
    readonly isList: true
  }
  "custom-domains.get": {
    readonly path: { readonly orgId: string; readonly customDomainId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly hostname: string; readonly statusPageId: string; readonly status: "pending" | "verified" | "active" | "failed"; readonly problem: "proof_missing" | "proof_other" | "proof_spreading" | "names_unanswered" | "no_address" | "leads_elsewhere" | "taken" | null; readonly reason: string | null; readonly records: readonly ({ readonly type: "TXT" | "CNAME" | "A" | "AAAA"; readonly name: string; readonly value: string })[]; readonly verifiedAt: string | null; readonly failingSince: string | null; readonly lastCheckedAt: string | null; readonly nextCheckAt: string | null; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "custom-domains.remove": {
    readonly path: { readonly orgId: string; readonly customDomainId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "custom-domains.verify": {
    readonly path: { readonly orgId: string; readonly customDomainId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly id: string; readonly orgId: string; readonly hostname: string; readonly statusPageId: string; readonly status: "pending" | "verified" | "active" | "failed"; readonly problem: "proof_missing" | "proof_other" | "proof_spreading" | "names_unanswered" | "no_address" | "leads_elsewhere" | "taken" | null; readonly reason: string | null; readonly records: readonly ({ readonly type: "TXT" | "CNAME" | "A" | "AAAA"; readonly name: string; readonly value: string })[]; readonly verifiedAt: string | null; readonly failingSince: string | null; readonly lastCheckedAt: string | null; readonly nextCheckAt: string | null; readonly createdAt: string; readonly updatedAt: string; readonly revision: number }
    readonly isList: false
  }
  "status-pages.listSubscribers": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: { readonly state?: "pending" | "active" | "failed"; readonly kind?: "email" | "webhook" | "slack"; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly statusPageId: string; readonly kind: "email" | "webhook" | "slack"; readonly address: string; readonly state: "pending" | "active" | "failed"; readonly sectionNames: readonly (string)[]; readonly language: "en" | "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ja" | "zh" | "tr" | "ar"; readonly askedAt: string; readonly confirmedAt: string | null; readonly createdAt: string })[]
    readonly isList: true
  }
  "status-pages.addSubscribers": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: { readonly emails: readonly (string)[]; readonly sectionNames?: readonly (string)[] }
    readonly data: { readonly asked: number }
    readonly isList: false
  }
  "status-pages.exportSubscribers": {
    readonly path: { readonly orgId: string; readonly statusPageId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "status-pages.removeSubscriber": {
    readonly path: { readonly orgId: string; readonly statusPageId: string; readonly subscriberId: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: Readonly<Record<string, unknown>>
    readonly isList: false
  }
  "kyc.verify": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly firstName: string; readonly lastName: string; readonly email: string; readonly phone?: string; readonly dateOfBirth: string; readonly country: string; readonly identityNumbers?: Readonly<Record<string, string>>; readonly gender?: "female" | "male" | "other" | "undisclosed" | ""; readonly address?: { readonly street?: string; readonly street2?: string; readonly city?: string; readonly state?: string; readonly postalCode?: string; readonly country?: string } }
    readonly data: { readonly verificationId: string; readonly status: "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly provider: "manual" | "http" }
    readonly isList: false
  }
  "kyc.status": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly verificationId: string | null; readonly status: "none" | "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly provider: "manual" | "http" | null; readonly submittedAt: string | null; readonly decidedAt: string | null; readonly reason: string | null; readonly fields: readonly ({ readonly name: string; readonly value: string })[] }
    readonly isList: false
  }
  "kyc.erase": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly erased: number }
    readonly isList: false
  }
  "kyc.list": {
    readonly path: Empty
    readonly query: { readonly status?: "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly userId: string; readonly status: "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly provider: "manual" | "http"; readonly submittedAt: string; readonly decidedAt: string | null; readonly erasedAt: string | null; readonly sending: { readonly attempts: number; readonly nextAttemptAt: string | null; readonly problem: string | null } | null })[]
    readonly isList: true
  }
  "kyc.get": {
    readonly path: { readonly verificationId: string }
    readonly query: { readonly reveal?: boolean }
    readonly body: undefined
    readonly data: { readonly id: string; readonly userId: string; readonly status: "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly provider: "manual" | "http"; readonly submittedAt: string; readonly decidedAt: string | null; readonly erasedAt: string | null; readonly sending: { readonly attempts: number; readonly nextAttemptAt: string | null; readonly problem: string | null } | null; readonly reason: string | null; readonly fields: readonly ({ readonly name: string; readonly value: string })[] }
    readonly isList: false
  }
  "kyc.decide": {
    readonly path: { readonly verificationId: string }
    readonly query: Empty
    readonly body: { readonly decision: "approve" | "reject" | "review"; readonly reason?: string | null }
    readonly data: { readonly id: string; readonly userId: string; readonly status: "pending" | "in_review" | "approved" | "rejected" | "expired"; readonly provider: "manual" | "http"; readonly submittedAt: string; readonly decidedAt: string | null; readonly erasedAt: string | null; readonly sending: { readonly attempts: number; readonly nextAttemptAt: string | null; readonly problem: string | null } | null }
    readonly isList: false
  }
  "system.info": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly version: string; readonly nodeVersion: string; readonly startedAt: string; readonly uptimeSeconds: number; readonly data: { readonly bytes: number; readonly usedBytes: number; readonly maxBytes: number | null; readonly sizeState: "ok" | "large" | "trimmed" | "full"; readonly diskState: "ok" | "low" | "full"; readonly diskFreeBytes: number; readonly diskTotalBytes: number; readonly damagedRecords: number }; readonly counts: { readonly users: number; readonly organizations: number; readonly monitors: number; readonly channels: number }; readonly owed: { readonly deliveries: number; readonly letters: number }; readonly backup: { readonly newestAt: string | null; readonly lastError: string | null }; readonly restored: { readonly at: string; readonly backup: string; readonly takenAt: string; readonly isAutomatic: boolean; readonly reason: string | null; readonly keptIn: string | null } | null; readonly network: { readonly lost: readonly ("ipv4" | "ipv6" | "dns")[]; readonly lostSince: string | null }; readonly heartbeat: { readonly lastSuccessAt: string | null; readonly lastError: string | null } | null; readonly isMasterKeyBesideData: boolean; readonly registration: "first-user" | "invite" | "open"; readonly mail: "smtp" | "files"; readonly privateAnswers: "kept" | "until_second_organization" | "not_kept" }
    readonly isList: false
  }
  "system.notices": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly channelIds: readonly (string)[] }
    readonly isList: false
  }
  "system.chooseNotices": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly channelIds: readonly (string)[] }
    readonly data: { readonly channelIds: readonly (string)[] }
    readonly isList: false
  }
  "system.auditLog": {
    readonly path: Empty
    readonly query: { readonly action?: string; readonly actorId?: string; readonly outcome?: "done" | "refused" | "failed"; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly sequence: number; readonly at: string; readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null; readonly email: string | null; readonly sessionId: string | null }; readonly address: string; readonly requestId: string; readonly action: "monitor.created" | "monitor.changed" | "monitor.deleted" | "monitor.paused" | "monitor.resumed" | "monitor.tested" | "monitor.token_replaced" | "channel.created" | "channel.changed" | "channel.deleted" | "channel.tested" | "channel.repeated" | "channel.unsubscribed" | "page.created" | "page.changed" | "page.deleted" | "page.subdomain_changed" | "domain.created" | "domain.moved" | "domain.deleted" | "domain.verified" | "domain.activated" | "domain.failed" | "subscriber.added" | "subscriber.deleted" | "subscriber.exported" | "maintenance.created" | "maintenance.changed" | "maintenance.deleted" | "maintenance.ended" | "maintenance.extended" | "maintenance.cancelled" | "key.created" | "key.changed" | "key.rotated" | "key.revoked" | "key.role_changed" | "key.ended" | "key.adopted" | "member.added" | "member.role_changed" | "member.removed" | "member.left" | "invite.created" | "invite.accepted" | "invite.revoked" | "invite.ended" | "incident.declared" | "incident.acknowledged" | "incident.updated" | "incident.resolved" | "incident.changed" | "incident.deleted" | "access.refused" | "delivery.repeated" | "email.verification_asked" | "email.verified" | "email.change_asked" | "email.change_refused" | "email.changed" | "identity.linked" | "organization.created" | "organization.changed" | "organization.deleted" | "organization.exported" | "organization.imported" | "organization.transferred" | "organization.quotas_changed" | "organization.switched_off" | "organization.switched_on" | "password.reset_asked" | "password.reset" | "password.change" | "recovery_code.used" | "referral_code.changed" | "session.started" | "session.confirmed" | "session.refused" | "session.ended" | "sign_in_link.asked" | "system_notices.channels_chosen" | "backup.started" | "backup.deleted" | "backup.restored" | "task.started" | "totp.begun" | "totp.enabled" | "totp.disabled" | "totp.reset" | "user.registered" | "user.changed" | "user.deleted" | "user.switched_off" | "user.switched_on" | "user.made_administrator" | "user.made_ordinary" | "verification.submitted" | "verification.withdrawn" | "verification.read" | "verification.erased" | "verification.pending" | "verification.in_review" | "verification.approved" | "verification.rejected" | "verification.expired"; readonly objectId: string | null; readonly objectName: string | null; readonly fields: readonly (string)[]; readonly outcome: "done" | "refused" | "failed"; readonly detail: string | null; readonly previousHash: string; readonly hash: string })[]
    readonly isList: true
  }
  "system.verifyAuditLog": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly ok: boolean; readonly entries: number; readonly firstSequence: number | null; readonly newestSequence: number; readonly headHash: string; readonly brokenAt?: { readonly sequence: number; readonly id: string | null; readonly reason: "missing" | "changed" | "moved" | "removed at the end" } }
    readonly isList: false
  }
  "system.exportAuditLog": {
    readonly path: Empty
    readonly query: { readonly format?: "ndjson" | "csv"; readonly from?: string; readonly to?: string; readonly after?: number }
    readonly body: undefined
    readonly data: unknown
    readonly isList: false
  }
  "system.reportError": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly message: string; readonly stack?: string; readonly context?: Readonly<Record<string, unknown>>; readonly source?: string }
    readonly data: { readonly fingerprint: string }
    readonly isList: false
  }
  "system.errors": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly fingerprint: string; readonly source: string; readonly message: string; readonly stack: string | null; readonly context: Readonly<Record<string, unknown>>; readonly reporter: { readonly kind: string; readonly id: string | null }; readonly count: number; readonly firstSeenAt: string; readonly lastSeenAt: string })[]
    readonly isList: true
  }
  "system.tasks": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly name: "retention" | "audit" | "outbox" | "credentials" | "identity" | "referrals" | "objectives" | "domains" | "subscribers" | "exports" | "integrity" | "space" | "consistency" | "backup" | "certificates"; readonly intervalSeconds: number; readonly isRunning: boolean; readonly lastStartedAt: string | null; readonly lastDurationMs: number | null; readonly lastOutcome: "done" | "failed" | null; readonly lastDetail: string | null; readonly nextRunAt: string })[]
    readonly isList: true
  }
  "system.runTask": {
    readonly path: { readonly name: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly name: "retention" | "audit" | "outbox" | "credentials" | "identity" | "referrals" | "objectives" | "domains" | "subscribers" | "exports" | "integrity" | "space" | "consistency" | "backup" | "certificates"; readonly intervalSeconds: number; readonly isRunning: boolean; readonly lastStartedAt: string | null; readonly lastDurationMs: number | null; readonly lastOutcome: "done" | "failed" | null; readonly lastDetail: string | null; readonly nextRunAt: string }
    readonly isList: false
  }
  "system.certificates": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly host: string; readonly source: "acme" | "file"; readonly state: "pending" | "issued" | "failed"; readonly issuer: string | null; readonly expiresAt: string | null; readonly nextAttemptAt: string | null; readonly failures: number; readonly reason: string | null; readonly waitReason: string | null })[]
    readonly isList: true
  }
  "system.users": {
    readonly path: Empty
    readonly query: { readonly q?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string; readonly isDisabled: boolean; readonly hasTotp: boolean; readonly organizations: number })[]
    readonly isList: true
  }
  "system.changeUser": {
    readonly path: { readonly userId: string }
    readonly query: Empty
    readonly body: { readonly isDisabled?: boolean; readonly isSystemAdmin?: boolean; readonly resetTotp?: true }
    readonly data: { readonly id: string; readonly email: string; readonly emailVerifiedAt: string | null; readonly name: string | null; readonly isSystemAdmin: boolean; readonly createdAt: string; readonly updatedAt: string; readonly isDisabled: boolean; readonly hasTotp: boolean; readonly organizations: number }
    readonly isList: false
  }
  "system.orgs": {
    readonly path: Empty
    readonly query: { readonly q?: string; readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly id: string; readonly name: string; readonly isDisabled: boolean; readonly monitors: number; readonly members: number; readonly quotas: { readonly monitors: number; readonly channels: number; readonly pages: number; readonly domains: number; readonly subscribers: number; readonly maintenance: number; readonly keys: number; readonly members: number; readonly invites: number }; readonly createdAt: string; readonly updatedAt: string })[]
    readonly isList: true
  }
  "system.changeOrg": {
    readonly path: { readonly orgId: string }
    readonly query: Empty
    readonly body: { readonly isDisabled?: boolean; readonly quotas?: { readonly monitors?: number | null; readonly channels?: number | null; readonly pages?: number | null; readonly domains?: number | null; readonly subscribers?: number | null; readonly maintenance?: number | null; readonly keys?: number | null; readonly members?: number | null; readonly invites?: number | null } }
    readonly data: { readonly id: string; readonly name: string; readonly isDisabled: boolean; readonly monitors: number; readonly members: number; readonly quotas: { readonly monitors: number; readonly channels: number; readonly pages: number; readonly domains: number; readonly subscribers: number; readonly maintenance: number; readonly keys: number; readonly members: number; readonly invites: number }; readonly createdAt: string; readonly updatedAt: string }
    readonly isList: false
  }
  "backups.list": {
    readonly path: Empty
    readonly query: { readonly limit?: number; readonly cursor?: string }
    readonly body: undefined
    readonly data: readonly ({ readonly name: string; readonly takenAt: string; readonly verifiedAt: string; readonly durationMs: number; readonly bytes: number; readonly dataBytes: number; readonly sha256: string; readonly records: number; readonly damagedRecords: number; readonly version: string; readonly schemaVersion: number; readonly keyId: string })[]
    readonly isList: true
  }
  "backups.make": {
    readonly path: Empty
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly name: string; readonly takenAt: string; readonly verifiedAt: string; readonly durationMs: number; readonly bytes: number; readonly dataBytes: number; readonly sha256: string; readonly records: number; readonly damagedRecords: number; readonly version: string; readonly schemaVersion: number; readonly keyId: string } | null
    readonly isList: false
  }
  "backups.get": {
    readonly path: { readonly backupName: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly name: string; readonly takenAt: string; readonly verifiedAt: string; readonly durationMs: number; readonly bytes: number; readonly dataBytes: number; readonly sha256: string; readonly records: number; readonly damagedRecords: number; readonly version: string; readonly schemaVersion: number; readonly keyId: string }
    readonly isList: false
  }
  "backups.remove": {
    readonly path: { readonly backupName: string }
    readonly query: Empty
    readonly body: undefined
    readonly data: { readonly name: string; readonly takenAt: string; readonly verifiedAt: string; readonly durationMs: number; readonly bytes: number; readonly dataBytes: number; readonly sha256: string; readonly records: number; readonly damagedRecords: number; readonly version: string; readonly schemaVersion: number; readonly keyId: string }
    readonly isList: false
  }
  "push.report": {
    readonly path: { readonly token: string }
    readonly query: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly durationMs?: number; readonly runId?: string; readonly rid?: string; readonly apiKey?: string }
    readonly body: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly metadata?: Readonly<Record<string, unknown>>; readonly durationMs?: number; readonly runId?: string }
    readonly data: { readonly nextDueAt: string | null }
    readonly isList: false
  }
  "push.reportByGet": {
    readonly path: { readonly token: string }
    readonly query: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly durationMs?: number; readonly runId?: string; readonly rid?: string; readonly apiKey?: string }
    readonly body: undefined
    readonly data: { readonly nextDueAt: string | null }
    readonly isList: false
  }
  "push.word": {
    readonly path: { readonly token: string; readonly word: string }
    readonly query: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly durationMs?: number; readonly runId?: string; readonly rid?: string; readonly apiKey?: string }
    readonly body: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly metadata?: Readonly<Record<string, unknown>>; readonly durationMs?: number; readonly runId?: string }
    readonly data: { readonly nextDueAt: string | null }
    readonly isList: false
  }
  "push.wordByGet": {
    readonly path: { readonly token: string; readonly word: string }
    readonly query: { readonly status?: "ok" | "error" | "start" | "log"; readonly message?: string; readonly durationMs?: number; readonly runId?: string; readonly rid?: string; readonly apiKey?: string }
    readonly body: undefined
    readonly data: { readonly nextDueAt: string | null }
    readonly isList: false
  }
  "kyc.callback": {
    readonly path: Empty
    readonly query: Empty
    readonly body: { readonly verificationId: string; readonly status: "approved" | "rejected" | "in_review"; readonly reason?: string | null }
    readonly data: { readonly verificationId: string; readonly status: "pending" | "in_review" | "approved" | "rejected" | "expired" }
    readonly isList: false
  }
}

/** The method and the path of every operation, below /api/v1. */
export const operationRoutes = {
  "auth.register": "POST /auth/register",
  "auth.login": "POST /auth/login",
  "auth.logout": "POST /auth/logout",
  "auth.session": "GET /auth/session",
  "auth.sessions": "GET /auth/sessions",
  "auth.endSession": "DELETE /auth/sessions/{sessionId}",
  "auth.reauthenticate": "POST /auth/reauthenticate",
  "auth.forgotPassword": "POST /auth/password/forgot",
  "auth.resetPasswordPage": "GET /auth/password/reset",
  "auth.resetPassword": "POST /auth/password/reset",
  "auth.changePassword": "POST /auth/password/change",
  "auth.verifyEmailPage": "GET /auth/email/verify",
  "auth.verifyEmail": "POST /auth/email/verify",
  "auth.resendVerification": "POST /auth/email/verify/resend",
  "auth.changeEmailPage": "GET /auth/email/change",
  "auth.changeEmail": "POST /auth/email/change",
  "totp.enrol": "POST /auth/totp",
  "totp.turnOff": "DELETE /auth/totp",
  "totp.confirm": "POST /auth/totp/confirm",
  "oidc.list": "GET /auth/oidc",
  "oidc.start": "GET /auth/oidc/{provider}/start",
  "oidc.callback": "GET /auth/oidc/{provider}/callback",
  "oidc.confirm": "POST /auth/oidc/{provider}/callback",
  "magic-link.request": "POST /identity/oauth/login/magic-link/request",
  "magic-link.callback": "GET /identity/oauth/login/magic-link/callback",
  "magic-link.verify": "POST /identity/oauth/login/magic-link/verify",
  "user.get": "GET /user",
  "user.change": "PATCH /user",
  "user.remove": "DELETE /user",
  "user.organizations": "GET /user/organizations",
  "user.referrals": "GET /user/referrals",
  "user.changeReferralCode": "POST /user/referrals/code",
  "orgs.create": "POST /orgs",
  "orgs.list": "GET /orgs",
  "orgs.get": "GET /orgs/{orgId}",
  "orgs.change": "PATCH /orgs/{orgId}",
  "orgs.remove": "DELETE /orgs/{orgId}",
  "orgs.summary": "GET /orgs/{orgId}/summary",
  "orgs.export": "GET /orgs/{orgId}/export",
  "orgs.import": "POST /orgs/{orgId}/import",
  "orgs.tryImport": "POST /orgs/{orgId}/import/trial",
  "orgs.convert": "POST /orgs/{orgId}/import/convert",
  "members.list": "GET /orgs/{orgId}/members",
  "members.change": "PATCH /orgs/{orgId}/members",
  "members.remove": "DELETE /orgs/{orgId}/members/{userId}",
  "orgs.transfer": "POST /orgs/{orgId}/transfer",
  "invites.create": "POST /orgs/{orgId}/invites",
  "invites.list": "GET /orgs/{orgId}/invites",
  "invites.revoke": "DELETE /orgs/{orgId}/invites/{inviteId}",
  "invites.look": "GET /invites/{token}",
  "invites.page": "GET /invites/{token}/page",
  "invites.join": "POST /invites/{token}/join",
  "invites.accept": "POST /invites/{token}/accept",
  "api-keys.create": "POST /orgs/{orgId}/api-keys",
  "api-keys.list": "GET /orgs/{orgId}/api-keys",
  "api-keys.change": "PATCH /orgs/{orgId}/api-keys/{keyId}",
  "api-keys.revoke": "DELETE /orgs/{orgId}/api-keys/{keyId}",
  "api-keys.rotate": "POST /orgs/{orgId}/api-keys/{keyId}/rotate",
  "api-keys.adopt": "POST /orgs/{orgId}/api-keys/{keyId}/adopt",
  "audit-log.list": "GET /orgs/{orgId}/audit-log",
  "audit-log.verify": "GET /orgs/{orgId}/audit-log/verify",
  "audit-log.export": "GET /orgs/{orgId}/audit-log/export",
  "monitors.list": "GET /orgs/{orgId}/monitors",
  "monitors.create": "POST /orgs/{orgId}/monitors",
  "monitors.changeMany": "PATCH /orgs/{orgId}/monitors",
  "monitors.removeMany": "DELETE /orgs/{orgId}/monitors",
  "monitors.get": "GET /orgs/{orgId}/monitors/{monitorId}",
  "monitors.run": "POST /orgs/{orgId}/monitors/{monitorId}",
  "monitors.change": "PATCH /orgs/{orgId}/monitors/{monitorId}",
  "monitors.remove": "DELETE /orgs/{orgId}/monitors/{monitorId}",
  "monitors.pause": "POST /orgs/{orgId}/monitors/{monitorId}/pause",
  "monitors.resume": "POST /orgs/{orgId}/monitors/{monitorId}/resume",
  "monitors.checks": "GET /orgs/{orgId}/monitors/{monitorId}/checks",
  "monitors.latest": "GET /orgs/{orgId}/monitors/{monitorId}/checks/latest",
  "monitors.test": "POST /orgs/{orgId}/monitors/test",
  "monitors.createMany": "POST /orgs/{orgId}/monitors/bulk",
  "overview.all": "GET /orgs/{orgId}/overview",
  "overview.recent": "GET /orgs/{orgId}/overview/recent",
  "monitors.runs": "GET /orgs/{orgId}/monitors/{monitorId}/runs",
  "monitors.oneRun": "GET /orgs/{orgId}/monitors/{monitorId}/runs/{number}",
  "monitors.replaceToken": "POST /orgs/{orgId}/monitors/{monitorId}/push-token",
  "monitors.uptime": "GET /orgs/{orgId}/monitors/{monitorId}/uptime",
  "monitors.responseTimes": "GET /orgs/{orgId}/monitors/{monitorId}/response-times",
  "uptime.list": "GET /orgs/{orgId}/uptime",
  "uptime.total": "GET /orgs/{orgId}/uptime/total",
  "monitors.simulate": "POST /orgs/{orgId}/monitors/{monitorId}/simulate",
  "monitors.report": "GET /orgs/{orgId}/monitors/{monitorId}/report",
  "monitors.reportPage": "GET /orgs/{orgId}/monitors/{monitorId}/report.html",
  "monitors.slo": "GET /orgs/{orgId}/monitors/{monitorId}/slo",
  "monitors.testAlerts": "POST /orgs/{orgId}/monitors/{monitorId}/alerts/test",
  "incidents.list": "GET /orgs/{orgId}/incidents",
  "incidents.declare": "POST /orgs/{orgId}/incidents",
  "incidents.previewPostmortem": "POST /orgs/{orgId}/incidents/preview",
  "incidents.get": "GET /orgs/{orgId}/incidents/{incidentId}",
  "incidents.change": "PATCH /orgs/{orgId}/incidents/{incidentId}",
  "incidents.remove": "DELETE /orgs/{orgId}/incidents/{incidentId}",
  "incidents.acknowledge": "POST /orgs/{orgId}/incidents/{incidentId}/acknowledge",
  "incidents.resolve": "POST /orgs/{orgId}/incidents/{incidentId}/resolve",
  "incidents.update": "POST /orgs/{orgId}/incidents/{incidentId}/updates",
  "incidents.explain": "GET /orgs/{orgId}/incidents/{incidentId}/explain",
  "monitors.incidents": "GET /orgs/{orgId}/monitors/{monitorId}/incidents",
  "maintenance-windows.create": "POST /orgs/{orgId}/maintenance-windows",
  "maintenance-windows.list": "GET /orgs/{orgId}/maintenance-windows",
  "maintenance-windows.get": "GET /orgs/{orgId}/maintenance-windows/{maintenanceId}",
  "maintenance-windows.change": "PATCH /orgs/{orgId}/maintenance-windows/{maintenanceId}",
  "maintenance-windows.remove": "DELETE /orgs/{orgId}/maintenance-windows/{maintenanceId}",
  "maintenance-windows.end": "POST /orgs/{orgId}/maintenance-windows/{maintenanceId}/end",
  "maintenance-windows.extend": "POST /orgs/{orgId}/maintenance-windows/{maintenanceId}/extend",
  "maintenance-windows.cancel": "POST /orgs/{orgId}/maintenance-windows/{maintenanceId}/cancel",
  "events.open": "GET /orgs/{orgId}/events",
  "alert-channels.create": "POST /orgs/{orgId}/alert-channels",
  "alert-channels.list": "GET /orgs/{orgId}/alert-channels",
  "alert-channels.get": "GET /orgs/{orgId}/alert-channels/{channelId}",
  "alert-channels.change": "PATCH /orgs/{orgId}/alert-channels/{channelId}",
  "alert-channels.remove": "DELETE /orgs/{orgId}/alert-channels/{channelId}",
  "alert-channels.types": "GET /orgs/{orgId}/alert-channels/types",
  "alert-channels.troubles": "GET /orgs/{orgId}/alert-channels/troubles",
  "alert-channels.testDraft": "POST /orgs/{orgId}/alert-channels/test",
  "alert-channels.test": "POST /orgs/{orgId}/alert-channels/{channelId}/test",
  "alert-channels.deliveries": "GET /orgs/{orgId}/alert-channels/{channelId}/deliveries",
  "alert-channels.delivery": "GET /orgs/{orgId}/alert-channels/{channelId}/deliveries/{deliveryId}",
  "alert-channels.redeliverAll": "POST /orgs/{orgId}/alert-channels/{channelId}/redeliver",
  "alert-channels.redeliver": "POST /orgs/{orgId}/alert-channels/{channelId}/deliveries/{deliveryId}/redeliver",
  "alert-deliveries.list": "GET /orgs/{orgId}/alert-deliveries",
  "status-pages.create": "POST /orgs/{orgId}/status-pages",
  "status-pages.list": "GET /orgs/{orgId}/status-pages",
  "status-pages.preview": "POST /orgs/{orgId}/status-pages/preview",
  "status-pages.get": "GET /orgs/{orgId}/status-pages/{statusPageId}",
  "status-pages.change": "PATCH /orgs/{orgId}/status-pages/{statusPageId}",
  "status-pages.remove": "DELETE /orgs/{orgId}/status-pages/{statusPageId}",
  "status-pages.setSubdomain": "PATCH /orgs/{orgId}/status-pages/{statusPageId}/subdomain",
  "custom-domains.create": "POST /orgs/{orgId}/custom-domains",
  "custom-domains.list": "GET /orgs/{orgId}/custom-domains",
  "custom-domains.get": "GET /orgs/{orgId}/custom-domains/{customDomainId}",
  "custom-domains.remove": "DELETE /orgs/{orgId}/custom-domains/{customDomainId}",
  "custom-domains.verify": "POST /orgs/{orgId}/custom-domains/{customDomainId}/verify",
  "status-pages.listSubscribers": "GET /orgs/{orgId}/status-pages/{statusPageId}/subscribers",
  "status-pages.addSubscribers": "POST /orgs/{orgId}/status-pages/{statusPageId}/subscribers",
  "status-pages.exportSubscribers": "GET /orgs/{orgId}/status-pages/{statusPageId}/subscribers/export",
  "status-pages.removeSubscriber": "DELETE /orgs/{orgId}/status-pages/{statusPageId}/subscribers/{subscriberId}",
  "kyc.verify": "POST /identity/kyc/verify",
  "kyc.status": "GET /identity/kyc",
  "kyc.erase": "DELETE /identity/kyc",
  "kyc.list": "GET /system/kyc",
  "kyc.get": "GET /system/kyc/{verificationId}",
  "kyc.decide": "PATCH /system/kyc/{verificationId}",
  "system.info": "GET /system/info",
  "system.notices": "GET /system/notices",
  "system.chooseNotices": "PUT /system/notices",
  "system.auditLog": "GET /system/audit-log",
  "system.verifyAuditLog": "GET /system/audit-log/verify",
  "system.exportAuditLog": "GET /system/audit-log/export",
  "system.reportError": "POST /system/errors",
  "system.errors": "GET /system/errors",
  "system.tasks": "GET /system/tasks",
  "system.runTask": "POST /system/tasks/{name}/run",
  "system.certificates": "GET /system/certificates",
  "system.users": "GET /system/users",
  "system.changeUser": "PATCH /system/users/{userId}",
  "system.orgs": "GET /system/orgs",
  "system.changeOrg": "PATCH /system/orgs/{orgId}",
  "backups.list": "GET /system/backups",
  "backups.make": "POST /system/backups",
  "backups.get": "GET /system/backups/{backupName}",
  "backups.remove": "DELETE /system/backups/{backupName}",
  "push.report": "POST /push/{token}",
  "push.reportByGet": "GET /push/{token}",
  "push.word": "POST /push/{token}/{word}",
  "push.wordByGet": "GET /push/{token}/{word}",
  "kyc.callback": "POST /identity/kyc/callback",
} as const satisfies Record<keyof Operations, string>
