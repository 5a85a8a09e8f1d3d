// A public status page: which monitors it shows, and what about them.
import type { MonitorId, OrgId, PageId } from '../../base/ids.ts'
import type { Language } from '../../texts/languages.ts'
import type { PictureFormat } from './picture-file.ts'

/** Monitors under one heading, in this order. */
export interface PageSection {
  readonly name: string
  readonly monitorIds: readonly MonitorId[]
}

/** `auto`: as the reader's system is set. */
export const colorModes = ['auto', 'light', 'dark'] as const
export type ColorMode = (typeof colorModes)[number]

export interface PageTheme {
  /** `#rrggbb`, lower case; null: the default of the service. */
  readonly accent: string | null
  readonly mode: ColorMode
}

/** The gallery: colours, face and shape of a page, each in light and in dark. */
export const pageLooks = ['plain', 'paper', 'slate', 'terminal', 'bold', 'lilac'] as const
export type PageLook = (typeof pageLooks)[number]

/** How the services of a page are laid out: a row of each, low rows, or tiles beside each other. */
export const pageLayouts = ['rows', 'compact', 'tiles'] as const
export type PageLayout = (typeof pageLayouts)[number]

/** Who may read a page: everybody who may know its address, or the organization's own members, signed in. */
export const pageVisibilities = ['everyone', 'members'] as const
export type PageVisibility = (typeof pageVisibilities)[number]

/** A link at the head of a page. */
export interface HeadLink {
  readonly label: string
  /** http, https or mailto. */
  readonly url: string
}

/** The pictures that an organization gives a page: at its head, above everything, and in the tab. */
export const pagePictureKinds = ['logo', 'cover', 'favicon'] as const
export type PagePictureKind = (typeof pagePictureKinds)[number]

/** What is known of a stored picture; its bytes lie beside the page. */
export interface PagePicture {
  readonly format: PictureFormat
  readonly widthPx: number
  readonly heightPx: number
  /** The hash of its bytes: a part of its address, which changes with them. */
  readonly hash: string
}

/** Null where there is none. */
export type PagePictures = Readonly<Record<PagePictureKind, PagePicture | null>>

export const noPictures: PagePictures = { logo: null, cover: null, favicon: null }

/** The name of a picture below its page. */
export function pictureFileName(kind: PagePictureKind, { hash, format }: PagePicture): string {
  return `${kind}.${hash}.${format}`
}

export interface StatusPage {
  readonly id: PageId
  readonly orgId: OrgId
  readonly name: string
  readonly slug: string
  readonly subdomain: string | null
  readonly isEnabled: boolean
  readonly isDefault: boolean
  /** Named on the front page of the service. */
  readonly isListed: boolean
  readonly title: string
  readonly description: string
  readonly logoUrl: string | null
  readonly pictures: PagePictures
  /** At the head of the page, in order. */
  readonly headLinks: readonly HeadLink[]
  /** What stands above the state, in Markdown; often empty. */
  readonly announcement: string
  /** What stands at the end, in Markdown; often empty. */
  readonly footer: string
  readonly layout: PageLayout
  readonly showHistory: boolean
  readonly showUptime: boolean
  readonly showIncidents: boolean
  readonly showMonitors: boolean
  /** Charts of response times. */
  readonly showResponseTimes: boolean
  /** From which locations a service fails, and its response times from each, under their names. */
  readonly showLocations: boolean
  /** The line that says what the page is made with. */
  readonly showMonitoredBy: boolean
  /** Null: every public monitor of the organization. */
  readonly publicMonitorIds: readonly MonitorId[] | null
  /** In order. Monitors that are shown and in no section come after them. */
  readonly sections: readonly PageSection[]
  readonly look: PageLook
  /** The organization's own style sheet, after that of the look; often empty. See page-css.ts. */
  readonly css: string
  /** What of the look is chosen apart from it. */
  readonly theme: PageTheme
  /** Null: what the reader's browser asks for, else the language of the organization. */
  readonly language: Language | null
  /** Null: the time zone of the organization. */
  readonly timezone: string | null
  readonly visibility: PageVisibility
  /** Search engines are asked to leave it out. */
  readonly noindex: boolean
  /** Whether readers may subscribe to it. */
  readonly allowsSubscribers: boolean
  /** PHC string (argon2id) of the password that readers need; null: it is open to everyone. */
  readonly passwordHash: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** Whether some people may not read the page. */
export function isProtected({
  passwordHash,
  visibility,
}: Pick<StatusPage, 'passwordHash' | 'visibility'>): boolean {
  return passwordHash !== null || visibility === 'members'
}

/** What people call the page. */
export function titleOf({ title, name }: Pick<StatusPage, 'title' | 'name'>): string {
  return title || name
}

export const defaultTheme: PageTheme = { accent: null, mode: 'auto' }
